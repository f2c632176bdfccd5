"""The server's log: its format, its levels, and that it never contains a token, a code, an address or journal text.

usage: test_log.py TRUNK_SERVER
"""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from server import KEY, PROGRAM, Server
from test_mail import MailServer
from websockets.sync.client import connect

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (trace|debug|info|notice|warning|error|critical): \S.*")
JOURNAL = "the words of a journal"


class Log(unittest.TestCase):
    def setUp(self):
        self.mail = MailServer()
        self.addCleanup(self.mail.listener.close)

    def start(self, *arguments, journal=False):
        """Starts a server that mails codes and writes its log to a file."""
        server = Server.__new__(Server)
        server.folder = tempfile.TemporaryDirectory(prefix="trunk-server-")
        self.path = pathlib.Path(server.folder.name + ".log")
        self.addCleanup(self.path.unlink)
        with self.path.open("w", encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            variables = {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"} if journal else {}
            server.process = subprocess.Popen(
                [PROGRAM, "--data", server.folder.name, "--listen", "127.0.0.1:0", "--rate-limit", "off",
                 "--smtp", f"smtp://127.0.0.1:{self.mail.port}", "--smtp-from", "trunk@example.org", *arguments],
                stdout=subprocess.PIPE, stderr=file, text=True, env=os.environ | variables)
        self.addCleanup(server.process.kill)
        server.url = server.line("listening on ")
        return server

    def lines(self):
        return self.path.read_text(encoding="utf-8").splitlines()

    def code(self):
        return re.search(r"\b(\d{6})\b", self.mail.next()[1].partition("\r\n\r\n")[2])[1]

    def whole_session(self, server):
        """Uses every part of the server, and returns what the log must not contain."""
        email, client_id, profile = "ada.lovelace@example.org", "id-of-an-event", "what Ada keeps with her account"
        server.request("POST", "/auth/v1/otp", {"email": email, "data": {"note": profile}})
        code = self.code()
        server.request("POST", "/auth/v1/verify", {"type": "email", "email": email, "token": "000000"})
        first = server.request("POST", "/auth/v1/verify", {"type": "email", "email": email, "token": code})[1]
        second = server.request(
            "POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": first["refresh_token"]})[1]
        server.request("POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": "invented-refresh-token"})
        token = second["access_token"]
        server.request("GET", "/auth/v1/user", token=token)
        server.request("PUT", "/auth/v1/user", {"data": {"note": profile}}, token)
        row = {"user_id": first["user"]["id"], "type": "t", "payload": {"text": JOURNAL}, "client_id": client_id}
        with contextlib.closing(connect(
                server.url.replace("http", "ws") + f"/realtime/v1/websocket?apikey={KEY}&vsn=2.0.0")) as live:
            live.send(json.dumps(["1", "1", "realtime:garden", "phx_join", {
                "access_token": token,
                "config": {"postgres_changes": [{"event": "INSERT", "schema": "public", "table": "events"}]}}]))
            live.recv(timeout=60)
            self.assertEqual(201, server.request("POST", "/rest/v1/events", [row], token)[0])
            while JOURNAL not in live.recv(timeout=60):
                pass
        server.request("POST", "/rest/v1/events", [row, row], token)
        server.request("POST", "/rest/v1/events", {"payload": JOURNAL}, token)
        server.request("GET", f"/rest/v1/events?client_id=eq.{client_id}&select=payload", token=token)
        server.request("GET", "/rest/v1/secret-table-name", token=token)
        server.request("SECRET-METHOD", "/secret/path?secret=query", token="secret-token")
        self.assertEqual(200, server.request("POST", "/api/auth/request-code", {"email": email})[0])
        plain = server.request("POST", "/api/auth/verify-code", {"email": email, "code": self.code()})[1]
        token = plain["accessToken"]
        server.request("GET", "/api/sync/events", token=token)
        server.request("POST", "/api/sync/events", {"events": [row | {"client_id": client_id + "2"}]}, token)
        server.request("DELETE", "/api/sync/events?confirm=all", token=token)
        server.request("POST", "/api/auth/logout", token=token)
        server.request("POST", "/auth/v1/logout?scope=global", token=second["access_token"])
        tokens = [session[name][-20:] for session in (first, second) for name in ("access_token", "refresh_token")]
        return ["ada", "lovelace", "example.org", code, client_id, profile, JOURNAL, "journal", first["user"]["id"],
                "invented", "secret", "SECRET", "127.0.0.1", *tokens, plain["refreshToken"][-20:],
                plain["accessToken"][-20:]]

    def test_a_whole_session_leaves_nothing_private_in_the_most_verbose_log(self):
        for format in ("text", "json"):
            with self.subTest(format=format):
                server = self.start("--log-level", "trace", "--log-format", format)
                secrets = self.whole_session(server)
                self.assertEqual(0, server.stop())
                text = "\n".join(self.lines())
                for secret in secrets:
                    self.assertNotIn(secret, text)
                for entry in ("the server started", "an account was created", "a request was answered",
                              "a transaction ended", "mail: a code was sent", "a live connection was closed",
                              "the server is stopping"):
                    self.assertIn(entry, text)
                self.assertEqual(1, text.count("an account was created"))

    def test_each_entry_is_a_line_with_time_and_level(self):
        server = self.start("--log-level", "debug")
        server.request("GET", "/auth/v1/health")
        self.assertEqual(0, server.stop())
        for line in self.lines():
            self.assertRegex(line, LINE)
        [answered] = [line for line in self.lines() if "answered" in line]
        self.assertRegex(answered, r" debug: a request was answered group=auth method=GET microseconds=\d+ status=200$")

    def test_each_entry_is_a_json_object(self):
        server = self.start("--log-level", "debug", "--log-format", "json")
        server.request("GET", "/rest/v1/events")
        self.assertEqual(0, server.stop())
        entries = [json.loads(line) for line in self.lines()]
        for entry in entries:
            self.assertEqual(["time", "level", "message", "fields"], list(entry))
        [answered] = [entry for entry in entries if "answered" in entry["message"]]
        self.assertEqual(("debug", "events", 401),
                         (answered["level"], answered["fields"]["group"], answered["fields"]["status"]))

    def test_systemd_gets_priorities(self):
        server = self.start("--log-level", "info", journal=True)
        self.assertEqual(0, server.stop())
        self.assertTrue(any(re.fullmatch("<6>the server started version=[0-9.]+", line) for line in self.lines()),
                        self.lines())

    def test_an_idle_server_logs_nothing_by_default(self):
        server = self.start()
        self.assertEqual(200, server.request("GET", "/auth/v1/health")[0])
        self.assertEqual(0, server.stop())
        self.assertEqual([], self.lines())

    def test_an_unknown_level_or_format_is_rejected(self):
        for option in (["--log-level", "loud"], ["--log-format", "xml"]):
            done = subprocess.run([PROGRAM, "--data", "/nowhere", "--print-codes", *option],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(64, done.returncode, done.stderr)

    def test_a_failed_start_is_a_critical_entry(self):
        server = self.start()
        second = subprocess.run(
            [PROGRAM, "--data", server.folder.name, "--print-codes", "--log-format", "json"],
            capture_output=True, text=True, timeout=60)
        self.assertEqual(1, second.returncode)
        entry = json.loads(second.stderr)
        self.assertEqual("critical", entry["level"])
        self.assertEqual(f"another trunk-server is using {server.folder.name}", entry["fields"]["error"])
        self.assertEqual(0, server.stop())


if __name__ == "__main__":
    unittest.main()
