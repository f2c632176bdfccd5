"""Codes by mail, and the server's log: it contains no addresses, codes, tokens or journal text.

usage: test_mail.py TRUNK_SERVER
"""

import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import unittest

from server import PROGRAM, Server


class MailServer:
    """Accepts one message after another in plain text and records them."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.messages = []
        self.arrived = threading.Semaphore(0)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rwb") as stream:
                self.talk(stream)

    def talk(self, stream):
        def say(text):
            stream.write(text.encode() + b"\r\n")
            stream.flush()

        commands = []
        say("220 here")
        for line in stream:
            commands.append(line.decode().strip())
            verb = commands[-1].upper()
            if verb.startswith("DATA"):
                say("354 go on")
                text = b""
                while not text.endswith(b"\r\n.\r\n"):
                    text += stream.readline()
                self.messages.append((commands, text.decode()))
                say("250 taken")
                self.arrived.release()
            elif verb.startswith("QUIT"):
                say("221 bye")
                return
            else:
                say("250 fine")

    def next(self):
        assert self.arrived.acquire(timeout=60), "no message"
        return self.messages[-1]


class Mail(unittest.TestCase):
    def setUp(self):
        self.mail = MailServer()
        self.addCleanup(self.mail.listener.close)
        self.folder = tempfile.TemporaryDirectory(prefix="trunk-mail-")
        self.addCleanup(self.folder.cleanup)

    def start(self, *arguments, port=None):
        server = Server.__new__(Server)
        server.folder = tempfile.TemporaryDirectory(prefix="trunk-server-")
        self.log = open(pathlib.Path(self.folder.name) / "log", "w+", encoding="utf-8")
        self.addCleanup(self.log.close)
        server.process = subprocess.Popen(
            [PROGRAM, "--data", server.folder.name, "--listen", "127.0.0.1:0", "--rate-limit", "off",
             "--smtp", f"smtp://127.0.0.1:{port or self.mail.port}", "--smtp-from", "trunk@example.org", *arguments],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        server.url = server.line("listening on ")
        return server

    def test_a_code_is_sent_by_mail(self):
        text = pathlib.Path(self.folder.name) / "text"
        text.write_text("Dein Code für Trunk\nEr lautet {code}.\n", encoding="utf-8")
        server = self.start("--mail-text", str(text))
        self.assertEqual((200, {}), server.request("POST", "/auth/v1/otp", {"email": "Ada@example.org"}))
        commands, message = self.mail.next()
        self.assertTrue(any(c.upper().startswith("MAIL FROM:<TRUNK@EXAMPLE.ORG>") for c in commands), commands)
        self.assertTrue(any(c.upper().startswith("RCPT TO:<ADA@EXAMPLE.ORG>") for c in commands), commands)
        headers, _, body = message.partition("\r\n\r\n")
        self.assertIn("To: <ada@example.org>", headers)
        self.assertIn("Subject: =?utf-8?B?RGVpbiBDb2RlIGbDvHIgVHJ1bms=?=", headers)
        code = re.search(r"Er lautet (\d{6})\.", body)[1]
        status, session = server.request(
            "POST", "/auth/v1/verify", {"type": "email", "email": "ada@example.org", "token": code})
        self.assertEqual(200, status)
        secret = "the words of a journal"
        server.request("POST", "/rest/v1/events", [
            {"user_id": session["user"]["id"], "type": "t", "payload": {"text": secret}, "client_id": "a"}] * 2,
            session["access_token"])
        server.request("POST", "/rest/v1/events", {"payload": secret}, session["access_token"])
        server.request("POST", "/auth/v1/verify", {"type": "email", "email": "ada@example.org", "token": "000000"})
        rest = server.process
        server.stop()
        self.log.seek(0)
        log = self.log.read()
        for text in ("ada", code, secret, session["access_token"][-20:], session["refresh_token"][-20:]):
            self.assertNotIn(text, log)
        self.assertEqual(0, rest.returncode)

    def test_the_mail_names_the_program_the_lifetime_and_what_to_do_if_it_was_not_requested(self):
        server = self.start()
        server.request("POST", "/auth/v1/otp", {"email": "ada@example.org"})
        headers, _, body = self.mail.next()[1].partition("\r\n\r\n")
        self.assertIn("Subject: Your sign-in code for Trunk\r\n", headers)
        self.assertRegex(body, r"Trunk, the garden journal: \d{6}\r\n")
        self.assertIn("within 10 minutes", body)
        self.assertIn("If you didn't request this code, ignore this mail.", body)
        server.stop()

    def test_an_unreachable_mail_server_is_logged_without_the_address(self):
        with socket.create_server(("127.0.0.1", 0)) as reserved:
            port = reserved.getsockname()[1]
        server = self.start(port=port)
        self.assertEqual((200, {}), server.request("POST", "/auth/v1/otp", {"email": "ada@example.org"}))
        server.stop()
        self.log.seek(0)
        self.assertNotIn("ada", self.log.read())


if __name__ == "__main__":
    unittest.main()
