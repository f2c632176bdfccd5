"""No client and no account takes more than its share: each attack meets a limit, and others are still answered.

usage: test_limits.py TRUNK_SERVER
"""

import contextlib
import json
import pathlib
import re
import socket
import sqlite3
import subprocess
import threading
import time
import unittest

import server as servers
from server import KEY, Server
from test_realtime import TOPIC, Connection, inserts
from websockets.exceptions import ConnectionClosed

MEGABYTE = 1 << 20


def memory(server):
    """Returns the server's memory in bytes."""
    text = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s*(\d+) kB", text, re.M)[1]) * 1024


class WithServer(unittest.TestCase):
    arguments = ()

    def setUp(self):
        self.server = Server(*self.arguments)
        self.addCleanup(self.end)

    def end(self):
        self.assertEqual(0, self.server.stop())

    def insert(self, session, *names, **values):
        rows = [{"user_id": session["user"]["id"], "type": "t", "payload": {}, "client_id": name} | values
                for name in names]
        status, response = self.server.request("POST", "/rest/v1/events", rows, session["access_token"])
        self.assertEqual(201, status, response)

    def join(self, live, *arguments, **values):
        """Joins. Returns the reason for a rejection, or None."""
        live.join(*arguments, **values)
        while True:
            message = live.receive()
            if message[3] == "phx_reply":
                return message[4]["response"].get("reason")


class Joins(WithServer):
    def setUp(self):
        super().setUp()
        self.session = self.server.sign_in("me@example.org")
        self.token = self.session["access_token"]

    def rejection(self, changes=(), token=None, **config):
        """Returns why a join with this configuration is rejected, or None."""
        with Connection(self.server) as live:
            live.send("1", "1", TOPIC, "phx_join", {"config": {"postgres_changes": list(changes)} | config,
                                                   "access_token": token or self.token})
            return live.receive()[4]["response"].get("reason")

    def test_a_connection_has_a_hundred_channels(self):
        with Connection(self.server) as live:
            for number in range(100):
                self.assertIsNone(self.join(live, self.token, [inserts()], topic=f"realtime:{number}"))
            reason = self.join(live, self.token, [], topic="realtime:more")
            self.assertEqual("ChannelRateLimitReached: Too many channels", reason)
            live.send("1", "2", "realtime:0", "phx_leave", {})
            self.assertEqual(["phx_reply", "phx_close"], [live.receive()[3], live.receive()[3]])
            self.assertIsNone(self.join(live, self.token, [], topic="realtime:more"))

    def test_a_join_has_ten_subscriptions(self):
        self.assertIsNone(self.rejection([inserts(filter=f"type=eq.{n}") for n in range(10)]))
        for count in (11, 15_000):
            self.assertEqual("ChannelRateLimitReached: Too many postgres_changes subscriptions",
                             self.rejection([{}] * count))

    def test_filters_of_a_connection_are_bounded_together(self):
        wanted = [inserts(filter="type=in.(" + ",".join("x" * 9 for _ in range(90)) + ")")]
        with Connection(self.server) as live:
            reasons = [self.join(live, self.token, wanted, topic=f"realtime:{number}") for number in range(12)]
        self.assertIsNone(reasons[0])
        self.assertEqual("ChannelRateLimitReached: Too many postgres_changes subscriptions", reasons[-1])

    def test_an_account_has_two_hundred_subscriptions_and_fifty_connections(self):
        other = self.server.sign_in("other@example.org")["access_token"]
        with contextlib.ExitStack() as stack:
            def connect():
                return stack.enter_context(Connection(self.server))

            for _ in range(2):
                live = connect()
                for number in range(10):
                    self.assertIsNone(self.join(live, self.token, [inserts()] * 10, topic=f"realtime:{number}"))
            self.assertEqual("ChannelRateLimitReached: Too many postgres_changes subscriptions",
                             self.join(connect(), self.token, [inserts()]))
            # The limits of one account don't affect another one.
            for _ in range(50):
                self.assertIsNone(self.join(connect(), other, [inserts()]))
            self.assertEqual("ConnectionRateLimitReached: Too many connected users",
                             self.join(connect(), other, [inserts()]))

    def test_unsupported_features_are_rejected(self):
        unsupported = "RealtimeDisabledForConfiguration: This server does not support "
        for event in ("DELETE", "UPDATE", "*", None):
            change = {"schema": "public", "table": "events"} | ({"event": event} if event else {})
            self.assertEqual(unsupported + "postgres_changes for other events than INSERT", self.rejection([change]))
        for broadcast in ({"ack": True}, {"self": True}, {"ack": False, "self": False, "replay": {"since": 1}}):
            self.assertEqual(unsupported + "broadcast", self.rejection(broadcast=broadcast))
        for presence in ({"enabled": True, "key": ""}, {"key": "me"}):
            self.assertEqual(unsupported + "presence", self.rejection(presence=presence))
        self.assertEqual("Unauthorized: You do not have permissions to read from this Channel topic: garden",
                         self.rejection(private=True))

    def test_the_default_configuration_of_clients_is_accepted(self):
        for presence in ({"key": ""}, {"key": "", "enabled": False}, {"key": "me", "enabled": False}):
            self.assertIsNone(self.rejection(
                [inserts()], broadcast={"ack": False, "self": False, "replay": None}, presence=presence, private=False))

    def test_messages_of_features_that_are_not_served_are_rejected(self):
        with Connection(self.server) as live:
            self.assertIsNone(self.join(live, self.token, []))
            for event in ("broadcast", "presence"):
                live.send("1", "2", TOPIC, event, {"type": event, "event": "x", "payload": {}})
                self.assertEqual(
                    {"status": "error", "response": {
                        "reason": f"RealtimeDisabledForConfiguration: This server does not support {event}"}},
                    live.receive()[4])

    def test_long_names_end_the_connection(self):
        for topic, reference in (("realtime:" + "x" * 300, "1"), (TOPIC, "1" * 100)):
            with Connection(self.server) as live:
                live.join(self.token, [], topic=topic, reference=reference)
                with self.assertRaises(ConnectionClosed) as closed:
                    live.receive()
                self.assertEqual(1008, closed.exception.rcvd.code)


class Rates(WithServer):
    arguments = ("--rate-limit", "on")

    def times(self):
        """Returns the processor time that each thread of the server has used, in seconds, by its name."""
        times = {}
        for folder in pathlib.Path(f"/proc/{self.server.process.pid}/task").iterdir():
            name = (folder / "comm").read_text().strip()
            times[name] = times.get(name, 0) + int((folder / "schedstat").read_text().split()[0]) / 1e9
        return times

    def test_hashes_of_tokens_leave_time_for_the_connections(self):
        before = self.times()
        for _ in range(60):
            status, _ = self.server.request("POST", "/auth/v1/token?grant_type=refresh_token",
                                            {"refresh_token": "x.1." + "y" * 43})
            self.assertEqual(400, status)
        used = {name: time - before.get(name, 0) for name, time in self.times().items()}
        connections = sum(used.pop(name) for name in list(used) if name.startswith("NIO"))
        # A hash takes milliseconds, longer than the rest of such a request, except in a debug build.
        self.assertGreater(sum(used.values()), 0.06, f"{used}, {connections}")

    def connect(self):
        port = int(self.server.url.rpartition(":")[2])
        return socket.create_connection(("127.0.0.1", port), timeout=60)

    def begin(self, client, address, length=0):
        client.sendall((f"POST /auth/v1/otp HTTP/1.1\r\nHost: x\r\napikey: {KEY}\r\nX-Forwarded-For: {address}\r\n"
                        f"Content-Length: {length}\r\n\r\n").encode())

    def test_a_client_that_sends_too_much_is_read_later_than_others(self):
        with self.connect() as much, self.connect() as other:
            begin = time.monotonic()
            for _ in range(3):
                self.begin(much, "203.0.113.7", 8 << 20)
                for _ in range(128):
                    much.sendall(bytes(64 << 10))
                self.begin(other, "203.0.113.8")
                self.assertIn(b"HTTP/1.1 4", other.recv(65536))
                self.assertIn(b"HTTP/1.1 413", much.recv(65536))
            # 16 MiB are free, and 4 MiB more in each second.
            self.assertGreater(time.monotonic() - begin, 1.9)


class Strangers(WithServer):
    arguments = ("--rate-limit", "on")

    def test_a_stranger_cannot_keep_an_owner_from_signing_in(self):
        email = "me@example.org"

        def ask(client):
            return self.server.request("POST", "/auth/v1/otp", {"email": email}, headers={"X-Forwarded-For": client})

        def attempt(client, code):
            return self.server.request("POST", "/auth/v1/verify", {"type": "email", "email": email, "token": code},
                                       headers={"X-Forwarded-For": client})

        self.assertEqual((200, {}), ask("203.0.113.7"))
        self.assertEqual((200, {}), ask("203.0.113.8"))
        code = [self.server.line(f"code for {email}: ") for _ in range(2)][1]
        for _ in range(4):
            self.assertEqual(403, attempt("203.0.113.7", "x")[0])
        status, response = attempt("203.0.113.7", "x")
        self.assertEqual((429, "address_locked"), (status, response["error_code"]))
        status, response = ask("203.0.113.9")
        self.assertEqual(200, status, response)
        status, response = attempt("203.0.113.8", code)
        self.assertEqual(200, status, response)


    def test_a_client_creates_twenty_accounts_a_day(self):
        def sign_in(number, client):
            email = f"{number}@example.org"
            headers = {"X-Forwarded-For": client}
            self.server.request("POST", "/auth/v1/otp", {"email": email}, headers=headers)
            code = self.server.line(f"code for {email}: ")
            body = {"type": "email", "email": email, "token": code}
            status, response = self.server.request("POST", "/auth/v1/verify", body, headers=headers)
            if status == 429:
                self.assertEqual("over_request_rate_limit", response["error_code"])
                # The code is still valid, and an account that exists isn't counted.
                headers = {"X-Forwarded-For": "203.0.113.9"}
                self.assertEqual(200, self.server.request("POST", "/auth/v1/verify", body, headers=headers)[0])
            return status

        statuses = [sign_in(number, "203.0.113.7") for number in range(21)]
        self.assertEqual([200] * 20 + [429], statuses)


class FairShare(WithServer):
    arguments = ("--total-size", "8")

    def test_one_account_cannot_fill_the_server(self):
        session, small = (self.server.sign_in(f"{name}@example.org") for name in ("large", "small"))
        for length in (100_000, 10_000, 1000):
            row = {"user_id": session["user"]["id"], "type": "t", "payload": {"x": "y" * length}}
            status = 201
            for _ in range(100):
                status, response = self.server.request("POST", "/rest/v1/events", row, session["access_token"])
                if status != 201:
                    break
            self.assertEqual((507, "53400"), (status, response["code"]), response)
        for number in range(20):
            self.insert(small, f"small {number}", payload={"x": "y" * 1000})
        self.server.request("DELETE", "/rest/v1/events?type=eq.t", token=session["access_token"])
        self.insert(session, "again")


class Memory(WithServer):
    def test_anonymous_connections_cost_little(self):
        before = memory(self.server)
        with contextlib.ExitStack() as stack:
            for _ in range(40):
                live = stack.enter_context(Connection(self.server))
                for number in range(20):
                    self.join(live, None, [{"event": "INSERT", "x": "y" * 20}] * 1200, topic=f"realtime:{number}")
                    self.join(live, None, [inserts(filter="type=eq." + "z" * 700)], topic=f"realtime:z{number}")
            self.assertLess(memory(self.server) - before, 30 * MEGABYTE)

    def test_replies_to_a_client_that_does_not_read_are_limited(self):
        before = memory(self.server)
        with Connection(self.server) as live:
            raw = live.socket.socket
            raw.settimeout(5)
            # The operating system's buffers are limited too, so the client can't continue forever.
            frame = b"\x81\xfe\x00\x80" + bytes(4) + json.dumps(
                [None, "1", "phoenix", "heartbeat", {}]).encode().ljust(128)
            with self.assertRaises(OSError):
                for _ in range(1_000_000):
                    raw.sendall(frame * 64)
            self.assertLess(memory(self.server) - before, 20 * MEGABYTE)

    def test_listeners_that_do_not_read_are_disconnected(self):
        session = self.server.sign_in("me@example.org")
        before = memory(self.server)
        with contextlib.ExitStack() as stack:
            listeners = [stack.enter_context(Connection(self.server)) for _ in range(20)]
            for live in listeners:
                for number in range(10):
                    self.assertIsNone(self.join(live, session["access_token"], [inserts()], topic=f"realtime:{number}"))
            for number in range(80):
                self.insert(session, f"large {number}", payload={"text": "x" * 250_000})
            # One row can wait in the queue as a response and as messages; the rest was discarded.
            self.assertLess(memory(self.server) - before, 30 * MEGABYTE)
            status, _ = self.server.request("GET", "/rest/v1/events?limit=1&select=id", token=session["access_token"])
            self.assertEqual(200, status)


class Clients(WithServer):
    def connect(self, source):
        port = int(self.server.url.rpartition(":")[2])
        return socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))

    def is_answered(self, client, forwarded=None):
        header = f"X-Forwarded-For: {forwarded}\r\n" if forwarded else ""
        client.sendall(f"GET /auth/v1/health HTTP/1.1\r\nHost: x\r\napikey: {KEY}\r\n{header}\r\n".encode())
        return client.recv(65536).startswith(b"HTTP/1.1 200")

    def test_a_client_has_a_hundred_connections(self):
        with contextlib.ExitStack() as stack:
            mine = [stack.enter_context(self.connect("127.0.0.2")) for _ in range(100)]
            self.assertTrue(all(self.is_answered(client) for client in mine))
            more = stack.enter_context(self.connect("127.0.0.2"))
            with contextlib.suppress(OSError):
                self.assertFalse(self.is_answered(more))
            self.assertTrue(self.is_answered(stack.enter_context(self.connect("127.0.0.3"))))
            mine[0].close()
            # The server notices the closed connection a moment later.
            while True:
                with self.connect("127.0.0.2") as again, contextlib.suppress(OSError):
                    if self.is_answered(again):
                        break

    def test_a_client_behind_a_proxy_has_a_hundred_connections(self):
        port = int(self.server.url.rpartition(":")[2])
        with contextlib.ExitStack() as stack:
            def begin(forwarded):
                """Begins a request and waits until the server has read its headers."""
                client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
                client.sendall((f"POST /auth/v1/otp HTTP/1.1\r\nHost: x\r\napikey: {KEY}\r\nExpect: 100-continue\r\n"
                                f"X-Forwarded-For: {forwarded}\r\nContent-Length: 9\r\n\r\n").encode())
                return client.recv(65536)[:12]

            for number in range(100):
                # Addresses of one network are one client.
                self.assertEqual(b"HTTP/1.1 100", begin(f"2001:db8:0:1::{number + 1:x}"))
            self.assertEqual(b"HTTP/1.1 429", begin("2001:db8:0:1:ffff::1"))
            self.assertEqual(b"HTTP/1.1 429", begin("2001:db8:0:2::1"))
            self.assertEqual(b"HTTP/1.1 100", begin("2001:db8:1::1"))
            self.assertEqual(b"HTTP/1.1 100", begin("203.0.113.7"))
            # A connection of the proxy that is between two requests belongs to no client.
            kept = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            for number in range(150):
                self.assertTrue(self.is_answered(kept, "203.0.113.7"))

    def test_only_a_proxy_on_this_computer_can_name_the_client(self):
        with contextlib.ExitStack() as stack:
            for number in range(100):
                client = stack.enter_context(self.connect("127.0.0.2"))
                self.assertTrue(self.is_answered(client, f"203.0.113.{number}"))
            more = stack.enter_context(self.connect("127.0.0.2"))
            with contextlib.suppress(OSError):
                self.assertFalse(self.is_answered(more, "203.0.113.200"))


class Metadata(WithServer):
    def database(self):
        return sqlite3.connect(pathlib.Path(self.server.folder.name) / "trunk-server.db", isolation_level=None)

    def test_metadata_before_sign_in_is_limited(self):
        status, response = self.server.request(
            "POST", "/auth/v1/otp", {"email": "me@example.org", "data": {"x": "y" * 60_000}})
        self.assertEqual((400, "validation_failed"), (status, response["error_code"]))
        self.server.request("POST", "/auth/v1/otp", {"email": "me@example.org", "data": {"full_name": "Me"}})
        code = self.server.line("code for me@example.org: ")
        _, session = self.server.request(
            "POST", "/auth/v1/verify", {"type": "email", "email": "me@example.org", "token": code})
        self.assertEqual({"full_name": "Me"}, session["user"]["user_metadata"])

    def test_a_stranger_cannot_set_the_name_of_a_new_account(self):
        def ask(client, **data):
            self.server.request("POST", "/auth/v1/otp", {"email": "me@example.org", "data": data},
                                headers={"X-Forwarded-For": client})
            return self.server.line("code for me@example.org: ")

        ask("192.0.2.66", full_name="Early")
        ask("192.0.2.1", full_name="Me")
        code = ask("192.0.2.66", full_name="Late")
        _, session = self.server.request(
            "POST", "/auth/v1/verify", {"type": "email", "email": "me@example.org", "token": code},
            headers={"X-Forwarded-For": "192.0.2.1"})
        self.assertEqual({"full_name": "Me"}, session["user"]["user_metadata"])

    def test_a_request_for_a_code_changes_no_account_that_exists(self):
        self.server.sign_in("me@example.org")
        self.server.request("POST", "/auth/v1/otp", {"email": "me@example.org", "data": {"full_name": "Stranger"}})
        code = self.server.line("code for me@example.org: ")
        _, session = self.server.request(
            "POST", "/auth/v1/verify", {"type": "email", "email": "me@example.org", "token": code})
        self.assertEqual({}, session["user"]["user_metadata"])

    def test_an_account_with_too_much_metadata_works_again(self):
        old = self.server.sign_in("me@example.org")
        with contextlib.closing(self.database()) as database:
            database.execute("UPDATE users SET metadata = ?", [json.dumps({"x": "y" * 100_000, "name": "Me"})])
        session = self.server.sign_in("me@example.org")
        self.assertLess(len(session["access_token"]), 2000)
        status, refreshed = self.server.request(
            "POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": old["refresh_token"]})
        self.assertEqual(200, status)
        for token in (session["access_token"], refreshed["access_token"]):
            self.assertEqual(200, self.server.request("GET", "/rest/v1/events", token=token)[0])
        token = session["access_token"]
        status, response = self.server.request("PUT", "/auth/v1/user", {"data": {"more": "z"}}, token)
        self.assertEqual((422, "validation_failed"), (status, response["error_code"]))
        status, user = self.server.request("PUT", "/auth/v1/user", {"data": {"x": None}}, token)
        self.assertEqual((200, {"name": "Me"}), (status, user["user_metadata"]))
        status, response = self.server.request("PUT", "/api/auth/profile", {"x": "y" * 70_000}, token)
        self.assertEqual((422, "validation_failed"), (status, response["code"]))


    def test_a_large_change_is_rejected_even_if_it_stores_nothing(self):
        token = self.server.sign_in("me@example.org")["access_token"]
        change = {f"key{number}": None for number in range(12_000)}
        for path, body in (("/auth/v1/user", {"data": change}), ("/api/auth/profile", change)):
            status, response = self.server.request("PUT", path, body, token)
            self.assertEqual((422, "User metadata must not exceed 65536 bytes"),
                             (status, response.get("msg") or response.get("message")), path)
            small = {"data": {"x": "y"}} if "data" in body else {"x": "y"}
            self.assertEqual(200, self.server.request("PUT", path, small, token)[0])


class Printed(WithServer):
    def test_addresses_cannot_control_a_terminal(self):
        for address in ("a\u009b31m@example.org", "a\u202egro.elpmaxe@b.org", "a\u2028@example.org", "a\x1b[2J@b.org"):
            status, response = self.server.request("POST", "/auth/v1/otp", {"email": address})
            self.assertEqual((400, "validation_failed"), (status, response["error_code"]), ascii(address))
        self.server.sign_in("josé@example.org")
        with contextlib.closing(sqlite3.connect(
                pathlib.Path(self.server.folder.name) / "trunk-server.db", isolation_level=None)) as database:
            # Earlier versions accepted such addresses.
            database.execute("UPDATE users SET email = 'a\u009b31m\x1b[2J@example.org'")
        listed = subprocess.run([servers.PROGRAM, "accounts", "--data", self.server.folder.name],
                                check=True, stdout=subprocess.PIPE, text=True).stdout
        self.assertTrue(listed.startswith("a\\u{9b}31m\\u{1b}[2J@example.org\t"), ascii(listed))


class FullDisk(unittest.TestCase):
    def test_a_full_disk_is_reported_to_the_client_and_the_log(self):
        # A small disk in a separate namespace, which needs no privileges. The tenth of it that stays free must hold the
        # log of a deletion: Debian's SQLite overwrites what it deletes, which the server does 4 MiB at a time.
        script = ('mount -t tmpfs -o size=64m none "$1" && exec "$0" --data "$1/data" --listen 127.0.0.1:0 --print-codes'
                  ' --rate-limit off --backup-every 0')
        server = Server.__new__(Server)
        server.folder = servers.tempfile.TemporaryDirectory(prefix="trunk-server-")
        server.process = subprocess.Popen(
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, servers.PROGRAM, server.folder.name],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # Otherwise a failure would leave the thread below waiting for the server's output.
        self.addCleanup(server.process.kill)
        server.url = server.line("listening on ")
        lines = []
        reader = threading.Thread(target=lambda: lines.extend(server.process.stderr))
        reader.start()
        session = server.sign_in("me@example.org")
        status = 201
        for number in range(1000):
            row = {"user_id": session["user"]["id"], "type": "t", "payload": {"x": "y" * 100_000}}
            status, response = server.request("POST", "/rest/v1/events", row, session["access_token"])
            if status != 201:
                break
        self.assertEqual((503, "53100"), (status, response["code"]), response)
        self.assertIn("No space left on device", response["message"])
        status, rows = server.request("GET", "/rest/v1/events?select=id", token=session["access_token"])
        self.assertEqual((200, number), (status, len(rows)))
        server.sign_in("new@example.org")

        def request_until_done(method, path, body=None):
            # Space is free once the write-ahead log has been moved into the database, shortly after a response.
            status, end = 503, time.monotonic() + 60
            while status == 503 and time.monotonic() < end:
                status, response = server.request(method, path, body, session["access_token"])
            return status, response

        status, response = request_until_done("DELETE", "/rest/v1/events?type=eq.t")
        self.assertEqual(204, status, response)
        status, response = request_until_done("POST", "/rest/v1/events", row)
        self.assertEqual(201, status, response)
        self.assertEqual(0, server.stop())
        reader.join()
        server.process.stderr.close()
        self.assertTrue(any(": the disk is almost full" in line for line in lines), lines)


if __name__ == "__main__":
    unittest.main()
