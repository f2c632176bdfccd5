"""Tests how the server parses HTTP and WebSockets, byte by byte, and that clients can't make it use too much memory.

usage: test_http.py TRUNK_SERVER
"""

import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import unittest

from server import KEY, PROGRAM, Server

HEAD = f"Host: localhost\r\napikey: {KEY}\r\n"
PING = f"GET /auth/v1/health HTTP/1.1\r\n{HEAD}\r\n".encode()
MEGABYTE = 1 << 20


class Raw:
    """One connection."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), timeout=60)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def push(self, part, times):
        """Sends data repeatedly until the server closes the connection. Returns whether it did."""
        try:
            for _ in range(times):
                self.socket.sendall(part)
        except (BrokenPipeError, ConnectionResetError):
            return True
        return False

    def more(self):
        part = self.socket.recv(65536)
        if not part:
            raise EOFError(self.rest)
        self.rest += part

    def take(self, count):
        while len(self.rest) < count:
            self.more()
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def response(self, is_head=False):
        """Returns the status, the headers by lower-case name, and the body."""
        while b"\r\n\r\n" not in self.rest:
            self.more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
        if is_head:
            body = b""
        elif headers.get("transfer-encoding") == "chunked":
            body = self.chunks()
        else:
            body = self.take(int(headers.get("content-length", 0)))
        return int(lines[0].split()[1]), headers, body

    def chunks(self):
        """Reads and returns a body in chunks."""
        parts = []
        while True:
            while b"\r\n" not in self.rest:
                self.more()
            size, _, self.rest = self.rest.partition(b"\r\n")
            part = self.take(int(size, 16) + 2)[:-2]
            if not part:
                return b"".join(parts)
            parts.append(part)

    def is_over(self):
        """Waits until the server closes the connection."""
        return self.rest == b"" and self.socket.recv(1) == b""


class WithServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.session = cls.server.sign_in("me@example.org")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0

    def memory(self):
        """Returns the server's memory in bytes."""
        text = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s*(\d+) kB", text, re.M)[1]) * 1024


class Requests(WithServer):
    def post(self, body, headers=""):
        return (f"POST /rest/v1/events HTTP/1.1\r\n{HEAD}Authorization: Bearer {self.session['access_token']}\r\n"
                f"Content-Length: {len(body)}\r\n{headers}\r\n").encode() + body

    def row(self, name):
        return json.dumps({"user_id": self.session["user"]["id"], "type": "t", "payload": {}, "client_id": name}).encode()

    def test_requests_may_arrive_in_any_pieces(self):
        with Raw(self.server) as client:
            for byte in PING + self.post(self.row("pieces")):
                client.send(bytes([byte]))
            self.assertEqual(200, client.response()[0])
            self.assertEqual(201, client.response()[0])
            # Many pieces at once.
            client.send(b"".join(self.post(self.row(f"many{index}")) for index in range(50)))
            self.assertEqual([201] * 50, [client.response()[0] for _ in range(50)])

    def test_connections_stay_open_as_the_version_requires(self):
        for version, header, stays in (("1.1", "", True), ("1.1", "Connection: close\r\n", False), ("1.0", "", False),
                                       ("1.0", "Connection: keep-alive\r\n", True)):
            with self.subTest(version + header), Raw(self.server) as client:
                client.send(PING.replace(b"HTTP/1.1\r\n", f"HTTP/{version}\r\n{header}".encode()))
                status, headers, _ = client.response()
                self.assertEqual(200, status)
                self.assertEqual(None if stays else "close", headers.get("connection"))
                if stays:
                    client.send(PING)
                    self.assertEqual(200, client.response()[0])
                else:
                    self.assertTrue(client.is_over())

    def test_a_client_that_closed_its_side_gets_the_response(self):
        with Raw(self.server) as client:
            client.send(self.post(self.row("half closed")))
            client.socket.shutdown(socket.SHUT_WR)
            self.assertEqual(201, client.response()[0])
            self.assertTrue(client.is_over())

    def test_heads_and_answers_without_a_body(self):
        with Raw(self.server) as client:
            client.send(PING.replace(b"health", b"nothing"))
            _, headers, body = client.response()
            client.send(PING.replace(b"health", b"nothing").replace(b"GET", b"HEAD"))
            self.assertEqual(str(len(body)), client.response(is_head=True)[1]["content-length"])
            client.send(b"OPTIONS /rest/v1/events HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Headers: a, b\r\n\r\n")
            status, headers, _ = client.response()
            self.assertEqual((204, "a, b"), (status, headers["access-control-allow-headers"]))
            self.assertNotIn("content-length", headers)
            methods = headers["access-control-allow-methods"].split(", ")
            self.assertEqual({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}, set(methods))
            client.send(PING)
            self.assertEqual(200, client.response()[0])

    def test_bodies_in_chunks(self):
        row = self.row("chunks")
        start = self.post(b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
        chunks = b"%x;name=value\r\n%s\r\n%X\r\n%s\r\n0\r\nTrailer: x\r\n\r\n" % (5, row[:5], len(row) - 5, row[5:])
        with Raw(self.server) as client:
            client.send(start + chunks + PING)
            self.assertEqual(201, client.response()[0])
            self.assertEqual(200, client.response()[0])
        for chunks in (b"x\r\n", b"-1\r\n", b"5\r\nabcdefg\r\n", b"1" * 17 + b"\r\n"):
            with self.subTest(chunks), Raw(self.server) as client:
                client.send(start + chunks)
                self.assertEqual(400, client.response()[0])
                self.assertTrue(client.is_over())

    def test_expect_100_continue_is_answered(self):
        with Raw(self.server) as client:
            request = self.post(self.row("continue"), "Expect: 100-continue\r\n")
            head, _, body = request.partition(b"\r\n\r\n")
            client.send(head + b"\r\n\r\n")
            self.assertEqual(100, client.response()[0])
            client.send(body)
            self.assertEqual(201, client.response()[0])

    def test_invalid_and_ambiguous_http_is_rejected(self):
        for request in (
            "hello\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nA : x\r\n\r\n",
            "GET / HTTP/1.1\r\nA: x\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nA: x\nB: y\r\n\r\n",
            "GET / HTTP/1.1\r\nA: x\rB: y\r\n\r\n", "GET / HTTP/1.1\r\nA: \0\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: \r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ):
            with self.subTest(request), Raw(self.server) as client:
                client.send(request)
                self.assertEqual(400, client.response()[0])
                self.assertTrue(client.is_over())
        with Raw(self.server) as client:
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")
            self.assertEqual(501, client.response()[0])

    def test_http_1_1_requires_one_host(self):
        for version, host, status in (("1.1", "", 400), ("1.1", "Host: a\r\nHost: b\r\n", 400), ("1.0", "", 200),
                                      ("1.1", "Host: a\r\n", 200)):
            with self.subTest(version + host), Raw(self.server) as client:
                client.send(f"GET /auth/v1/health HTTP/{version}\r\n{host}apikey: {KEY}\r\n\r\n")
                self.assertEqual(status, client.response()[0])

    def test_a_full_table_makes_room_for_new_connections(self):
        server = Server("--max-connections", "20")
        self.addCleanup(server.stop)
        silent = []
        for _ in range(60):
            # Each one is answered once and then stays open without a request.
            silent.append(Raw(server).__enter__())
            self.addCleanup(silent[-1].socket.close)
            silent[-1].send(PING)
            self.assertEqual(200, silent[-1].response()[0])
        self.assertTrue(silent[0].is_over())
        silent[-1].send(PING)
        self.assertEqual(200, silent[-1].response()[0])

    def test_endless_headers_are_not_kept(self):
        before = self.memory()
        with Raw(self.server) as client:
            client.send(b"GET / HTTP/1.1\r\nA:")
            self.assertTrue(client.push(b" " * MEGABYTE, 32))
        for start in (b"GET /", b"GET / HTTP/1.1\r\nA: ", b"GET / HTTP/1.1\r\n"):
            part = b"a" * MEGABYTE if start[-1:] != b"\n" else b"a: b\r\n" * (MEGABYTE // 6)
            with self.subTest(start), Raw(self.server) as client:
                client.send(start)
                if not client.push(part, 32):
                    status, headers, _ = client.response()
                    self.assertEqual((431, "close"), (status, headers["connection"]))
        self.assertLess(self.memory() - before, 8 * MEGABYTE)
        with Raw(self.server) as client:
            # The server responds immediately, without waiting for the end of the headers.
            client.send(b"GET / HTTP/1.1\r\nA: " + b"a" * 70_000)
            self.assertEqual(431, client.response()[0])
        with Raw(self.server) as client:
            client.send(PING[:-2] + b"".join(b"A%d: " % index + b"a" * 8000 + b"\r\n" for index in range(7)) + b"\r\n")
            self.assertEqual(200, client.response()[0])
            # A list may be long, whether it comes in one header or in many.
            client.send(PING[:-2] + b"Accept: text/plain,text/plain,text/plain,text/plain\r\n" * 200 + b"\r\n")
            self.assertEqual(431, client.response()[0])

    def test_large_bodies_are_read_and_not_kept(self):
        before = self.memory()
        bearer = f"Authorization: Bearer {self.session['access_token']}\r\n"
        with Raw(self.server) as client:
            client.send(f"POST /rest/v1/events HTTP/1.1\r\n{HEAD}{bearer}Content-Length: {64 * MEGABYTE}\r\n\r\n")
            self.assertFalse(client.push(b"a" * MEGABYTE, 64))
            self.assertEqual(413, client.response()[0])
            # The rest of the body is not parsed as another request.
            client.send(f"POST /rest/v1/events HTTP/1.1\r\n{HEAD}{bearer}Transfer-Encoding: chunked\r\n\r\n")
            self.assertFalse(client.push(b"100000\r\n" + b"a" * MEGABYTE + b"\r\n", 64))
            client.send("0\r\n\r\n")
            self.assertEqual(413, client.response()[0])
            client.send(PING)
            self.assertEqual(200, client.response()[0])
        self.assertLess(self.memory() - before, 24 * MEGABYTE)

    def test_anonymous_clients_cannot_fill_the_memory(self):
        with Raw(self.server) as client:
            for path, token, status in (("/rest/v1/events", "x.y.z", 401), ("/api/sync/events", "x.y.z", 401),
                                        ("/rest/v1/events", KEY, 401), ("/auth/v1/otp", KEY, 413)):
                # A client with an expired token gets 401 even if its body is too large.
                client.send(f"POST {path} HTTP/1.1\r\n{HEAD}Authorization: Bearer {token}\r\n"
                            f"Content-Length: {MEGABYTE}\r\n\r\n".encode() + b"a" * MEGABYTE)
                self.assertEqual(status, client.response()[0])
        before = self.memory()
        clients = [Raw(self.server) for _ in range(40)]
        for client in clients:
            self.addCleanup(client.socket.close)
            client.send(f"POST /rest/v1/events HTTP/1.1\r\n{HEAD}Content-Length: {2 * MEGABYTE}\r\n\r\n")
            self.assertFalse(client.push(b"a" * MEGABYTE, 1))
        with Raw(self.server) as client:
            client.send(PING)
            self.assertEqual(200, client.response()[0])
        self.assertLess(self.memory() - before, 16 * MEGABYTE)

    def test_answers_are_written_as_fast_as_the_client_reads(self):
        session = self.server.sign_in("reader@example.org")
        rows = [{"user_id": session["user"]["id"], "type": "t", "payload": {"text": "x" * 200_000}} for _ in range(5)]
        for _ in range(4):
            self.assertEqual(201, self.server.request("POST", "/rest/v1/events", rows, session["access_token"])[0])
        get = (f"GET /rest/v1/events?select=payload HTTP/1.1\r\n{HEAD}"
               f"Authorization: Bearer {session['access_token']}\r\n\r\n")
        with Raw(self.server) as client:
            client.send(get)
            whole = client.response()[2]
            before = self.memory()
            # A pipelined request is answered only after the one before it.
            client.send(get * 24)
            for index in range(24):
                status, _, body = client.response()
                self.assertEqual((200, True), (status, body == whole))
                if index == 0:
                    self.assertLess(self.memory() - before, 48 * MEGABYTE)
            # Also if the client has closed its side.
            client.send(get)
            client.more()
            client.socket.shutdown(socket.SHUT_WR)
            self.assertEqual(len(whole), len(client.response()[2]))
            self.assertTrue(client.is_over())
        self.assertEqual([200_000] * 20, [len(row["payload"]["text"]) for row in json.loads(whole)])

    def test_too_many_connections_are_rejected(self):
        server = Server("--max-connections", "3")
        self.addCleanup(server.stop)
        clients = [Raw(server) for _ in range(3)]
        for client in clients:
            client.send(PING)
            self.assertEqual(200, client.response()[0])
        with Raw(server) as rejected:
            self.assertTrue(rejected.is_over())
        clients.pop().socket.close()
        # The server accepts another connection as soon as it has noticed the closed one.
        while True:
            with Raw(server) as client:
                client.send(PING)
                try:
                    self.assertEqual(200, client.response()[0])
                    break
                except (EOFError, ConnectionError):
                    pass
        for client in clients:
            client.socket.close()

    def test_closing_the_servers_output_ends_nothing(self):
        server = Server()
        self.addCleanup(server.folder.cleanup)
        self.addCleanup(server.process.wait)
        self.addCleanup(server.process.terminate)
        server.process.stdout.close()
        self.assertEqual((200, {}), server.request("POST", "/auth/v1/otp", {"email": "me@example.org"}))
        self.assertEqual(200, server.request("GET", "/auth/v1/health")[0])

    def test_a_second_server_does_not_serve_the_same_folder(self):
        second = subprocess.run(
            [PROGRAM, "--data", self.server.folder.name, "--listen", "127.0.0.1:0", "--print-codes"],
            capture_output=True, text=True, timeout=60)
        self.assertEqual((1, ""), (second.returncode, second.stdout))
        self.assertTrue(second.stderr.endswith(
            f' critical: the server can\'t start error="another trunk-server is using {self.server.folder.name}"\n'),
            second.stderr)
        self.assertEqual(200, self.server.request("GET", "/auth/v1/health")[0])

    def test_termination_finishes_accepted_requests(self):
        server = Server()
        session = server.sign_in("me@example.org")
        row = json.dumps({"user_id": session["user"]["id"], "type": "t", "payload": {}}).encode()
        large = [json.loads(row) | {"payload": {"text": "x" * 200_000}}] * 5
        for _ in range(18):
            self.assertEqual(201, server.request("POST", "/rest/v1/events", large, session["access_token"])[0])
        with Raw(server) as idle, Raw(server) as busy, Raw(server) as reader:
            idle.send(PING)
            self.assertEqual(200, idle.response()[0])
            reader.send(f"GET /rest/v1/events HTTP/1.1\r\n{HEAD}Authorization: Bearer {session['access_token']}\r\n\r\n")
            reader.more()
            busy.send(f"POST /rest/v1/events HTTP/1.1\r\n{HEAD}Authorization: Bearer {session['access_token']}\r\n"
                      f"Expect: 100-continue\r\nContent-Length: {len(row)}\r\n\r\n")
            self.assertEqual(100, busy.response()[0])
            server.process.send_signal(signal.SIGTERM)
            self.assertTrue(idle.is_over())
            busy.send(row)
            status, headers, _ = busy.response()
            self.assertEqual((201, "close"), (status, headers["connection"]))
            self.assertTrue(busy.is_over())
            self.assertGreater(len(reader.response()[2]), 18_000_000)
            # A second signal must not end the server immediately.
            server.process.wait(30)
            self.assertEqual(0, server.stop())


class Frames(WithServer):
    HANDSHAKE = (f"GET /realtime/v1/websocket HTTP/1.1\r\n{HEAD}Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")

    def live(self, client=None, behind=b""):
        client = client or Raw(self.server)
        self.addCleanup(client.socket.close)
        client.send(self.HANDSHAKE.encode() + behind)
        status, headers, _ = client.response()
        self.assertEqual((101, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), (status, headers["sec-websocket-accept"]))
        return client

    @staticmethod
    def frame(opcode, payload, last=True, length=None):
        """Returns a masked frame, as clients send it. length: the length in its header."""
        length = len(payload) if length is None else length
        size = bytes([0x80 | length]) if length < 126 else (
            b"\xfe" + struct.pack(">H", length) if length < 65536 else b"\xff" + struct.pack(">Q", length))
        mask = os.urandom(4)
        return (bytes([(0x80 if last else 0) | opcode]) + size + mask
                + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload)))

    def assert_closed(self, client, code):
        self.assertEqual((0x88, 2), tuple(client.take(2)))
        self.assertEqual(code, struct.unpack(">H", client.take(2))[0])
        self.assertTrue(client.is_over())

    def beat(self, client, reference="1", pieces=1):
        text = json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {}, "ref": reference}).encode()
        size = -(-len(text) // pieces)
        for start in range(0, len(text), size):
            client.send(self.frame(0 if start else 1, text[start:start + size], last=start + size >= len(text)))
            if pieces > 1 and start == 0:
                client.send(self.frame(9, b"between"))

    def test_invalid_handshakes_are_rejected(self):
        for change in (("13", "12"), ("WebSocket\r\n", "h2c\r\n"), ("ZQ==", "ZQ="), ("keep-alive, Upgrade", "close"),
                       ("GET", "POST")):
            with self.subTest(change), Raw(self.server) as client:
                client.send(self.HANDSHAKE.replace(*change))
                status, headers, _ = client.response()
                self.assertEqual((400, "close"), (status, headers["connection"]))
        with Raw(self.server) as client:
            # The following bytes could be another protocol, so they are not parsed as HTTP.
            client.send(PING.replace(b"\r\n\r\n", b"\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"))
            status, headers, _ = client.response()
            self.assertEqual((200, "close"), (status, headers["connection"]))
            self.assertTrue(client.is_over())

    def test_a_connection_that_was_used_before_becomes_live(self):
        client = Raw(self.server)
        for _ in range(2):
            client.send(PING)
            self.assertEqual(200, client.response()[0])
        # As a proxy does, with frames directly after the handshake.
        self.live(client, behind=self.frame(9, b"one") + self.frame(9, b"two"))
        self.assertEqual(b"\x8a\x03one\x8a\x03two", client.take(10))
        client.socket.shutdown(socket.SHUT_WR)
        self.assert_closed(client, 1000)

    def test_messages_come_in_any_pieces(self):
        client = self.live()
        self.beat(client, "7", pieces=3)
        self.assertEqual(b"\x8a\x07between", client.take(9))
        length = client.take(2)[1]
        self.assertEqual("7", json.loads(client.take(length))["ref"])
        client.send(self.frame(10, b""))
        client.send(self.frame(8, b"\x03\xe8"))
        self.assert_closed(client, 1000)

    def test_frames_that_break_the_rules_end_the_connection(self):
        for frame, code in (
            (b"\x81\x02hi", 1002), (b"\xc1\x80abcd", 1002), (self.frame(3, b""), 1002), (self.frame(0, b"x"), 1002),
            (self.frame(1, b"x", last=False) + self.frame(1, b"x"), 1002), (self.frame(9, b"x" * 126), 1002),
            (self.frame(9, b"", last=False), 1002), (self.frame(1, b"\xff"), 1007),
        ):
            with self.subTest(frame[:20]):
                client = self.live()
                client.send(frame)
                self.assert_closed(client, code)

    def test_large_messages_are_rejected_before_they_arrive(self):
        for length in (65_537, 1 << 40, (1 << 64) - 1):
            client = self.live()
            client.send(self.frame(1, b"", length=length))
            self.assert_closed(client, 1009)
        # Neither as a whole, nor in pieces, nor in very many pieces.
        for size in (6000, 1):
            client = self.live()
            client.send(self.frame(1, b"x", last=False))
            client.push(self.frame(0, b"x" * size, last=False), 20)
            self.assert_closed(client, 1009)


    def test_a_client_that_does_not_read_is_not_read_either(self):
        client = self.live()
        before = self.memory()
        # More pongs than the system buffers for both sides.
        ping = self.frame(9, b"x" * 125)
        pings, sent = ping * 1000, 0
        client.socket.settimeout(3)
        with self.assertRaises(TimeoutError):
            while sent < 200 * len(pings):
                sent += client.socket.send(pings[sent % len(ping):])
        self.assertLess(self.memory() - before, 16 * MEGABYTE)
        # The server continues as soon as the client reads.
        client.socket.settimeout(120)
        client.take(MEGABYTE)
        client.send(ping[sent % len(ping):])
        count = sent // len(ping) + 1
        self.assertEqual(b"\x8a\x7d" + b"x" * 125, client.take(count * 127 - MEGABYTE)[-127:])


if __name__ == "__main__":
    unittest.main()
