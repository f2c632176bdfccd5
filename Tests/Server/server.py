"""Runs the built server in a separate folder, for tests that are called with its path."""

import json
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

PROGRAM = sys.argv.pop(1)
KEY = "trunk"


class Server:
    def __init__(self, *arguments):
        self.folder = tempfile.TemporaryDirectory(prefix="trunk-server-")
        self.process = subprocess.Popen(
            [PROGRAM, "--data", self.folder.name, "--listen", "127.0.0.1:0", "--print-codes",
             "--rate-limit", "off", *arguments],
            stdout=subprocess.PIPE, text=True)
        self.url = self.line("listening on ")

    def line(self, start):
        """Returns the rest of the next line that begins with `start`."""
        for line in self.process.stdout:
            if line.startswith(start):
                return line[len(start):].strip()
        raise AssertionError(f"the server ended without '{start}'")

    def stop(self):
        """Sends SIGTERM and returns the server's exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self.process.stdout.close()
        self.folder.cleanup()
        return status

    def request(self, method, path, body=None, token=None, headers=()):
        """Makes one request and returns the status and the response, parsed as JSON if there is one."""
        fields = {"apikey": KEY, "Content-Type": "application/json"} | dict(headers)
        if token:
            fields["Authorization"] = "Bearer " + token
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, fields, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                status, text = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        return status, json.loads(text) if text else None

    def sign_in(self, email):
        """Signs in and returns the server's session."""
        self.request("POST", "/auth/v1/otp", {"email": email})
        code = self.line(f"code for {email}: ")
        status, session = self.request("POST", "/auth/v1/verify", {"type": "email", "email": email, "token": code})
        assert status == 200, session
        return session

    def sign_in_by_plain_interface(self, email):
        self.request("POST", "/api/auth/request-code", {"email": email})
        code = self.line(f"code for {email}: ")
        status, session = self.request("POST", "/api/auth/verify-code", {"email": email, "code": code})
        assert status == 200, session
        return session
