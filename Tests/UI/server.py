"""A sync server for the tests, and another device that uses it without any of our code."""

import contextlib
import json
import pathlib
import queue
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.parse
import urllib.request

import tokens
from program import BUILD, CONFIG

KEY = "trunk"


def free_port():
    """Returns a free port below those that the kernel assigns to outgoing connections. Otherwise a client of a stopped
    server could be given the server's port and connect to itself."""
    while True:
        port = random.randrange(20000, 32000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Server:
    """The built trunk-server in a separate folder. As a context manager, it ends the server and removes the folder."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trunk-server-"))
        self.port = free_port()
        self.process = None
        self._lines = None
        self.start()

    def start(self):
        """Starts the server, after `kill` at the same address."""
        self.process = subprocess.Popen(
            [BUILD / CONFIG / "trunk-server", "--data", self.folder, "--listen", f"127.0.0.1:{self.port}",
             "--print-codes", "--rate-limit", "off"], stdout=subprocess.PIPE, text=True)
        self._lines = queue.Queue()
        threading.Thread(target=self._read, args=(self.process.stdout, self._lines), daemon=True).start()
        self.wait_line("listening on ")

    @staticmethod
    def _read(stream, lines):
        for line in stream:
            lines.put(line.strip())

    def wait_line(self, start):
        """Returns the next line of output with this prefix."""
        while True:
            try:
                line = self._lines.get(timeout=60)
            except queue.Empty:
                raise AssertionError(f"the server has not printed '{start}' within 60 s") from None
            if line.startswith(start):
                return line

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def env(self):
        """The environment variables with which a program uses the server."""
        return {"SUPABASE_URL": self.url, "SUPABASE_ANON_KEY": KEY}

    def code(self, email):
        """Returns the code that was just sent to an address."""
        return self.wait_line(f"code for {email}: ").rsplit(" ", 1)[1]

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    @contextlib.contextmanager
    def paused(self):
        """Keeps the server from answering; connections to it are still accepted."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def forget_key(self):
        """Restarts with another signing key: access tokens become invalid, sessions stay valid."""
        self.kill()
        (self.folder / "secret").unlink()
        self.start()

    def stop(self):
        if self.process.poll() is None:
            self.kill()
        try:
            tokens.check_folder(self.folder)
        finally:
            shutil.rmtree(self.folder)


class Device:
    """Another device of the same user."""

    def __init__(self, server, email):
        self.server, self.token = server, None
        self.post("/auth/v1/otp", {"email": email})
        session = self.post("/auth/v1/verify", {"type": "email", "email": email, "token": server.code(email)})
        self.token, self.user = session["access_token"], session["user"]["id"]

    def request(self, method, path, body=None, **headers):
        headers = {"apikey": KEY, "Content-Type": "application/json", **headers}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            text = response.read()
            return json.loads(text) if text else None

    def post(self, path, body):
        return self.request("POST", path, body)

    def profile(self):
        """Returns the account's profile."""
        return self.request("GET", "/auth/v1/user")["user_metadata"]

    def set_profile(self, **members):
        """Changes members of the profile."""
        self.request("PUT", "/auth/v1/user", {"data": members})

    def insert(self, events):
        """Stores events as the web client does: complete, in one batch."""
        self.post("/rest/v1/events", [
            {"user_id": self.user, "type": event["type"], "payload": event, "client_id": event["client_id"],
             "client_timestamp": event["timestamp"]} for event in events])

    def events(self):
        """Returns all events of the user, in the server's order."""
        rows = []
        while True:
            query = {"select": "*", "order": "created_at.asc,id.asc", "offset": len(rows)}
            page = self.request("GET", "/rest/v1/events?" + urllib.parse.urlencode(query))
            if not page:
                return [row["payload"] for row in rows]
            rows += page
