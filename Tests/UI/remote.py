"""An object in a separate process. Each call and each result is one line of JSON."""

import json
import subprocess
import sys
import traceback


class Remote:
    """A proxy of the object that the process passes to `serve`. It has all of that object's methods."""

    def __init__(self, *command, env=None):
        self._process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __getattr__(self, name):
        return lambda *arguments, **named: self._call(name, arguments, named)

    def _call(self, name, arguments, named):
        self._process.stdin.write(json.dumps([name, arguments, named]) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if not line.startswith("{"):
                continue  # printed by a child process, such as a service of its bus
            response = json.loads(line)
            assert "failure" not in response, f"{name} {arguments} {named}: {response['failure']}"
            return response["result"]
        raise AssertionError(f"{name} {arguments} {named}: the process has ended")

    def end(self):
        """Ends the process and its children. Fails if its exit code isn't 0."""
        with self._process:
            self._process.stdin.close()
        assert self._process.returncode == 0, f"the process ended with exit code {self._process.returncode}"


def serve(target):
    """Calls the requested methods until the input is closed."""
    for line in sys.stdin:
        name, arguments, named = json.loads(line)
        try:
            response = {"result": getattr(target, name)(*arguments, **named)}
        except Exception:  # report every error to the caller
            response = {"failure": traceback.format_exc()}
        print(json.dumps(response), flush=True)
