"""Measures how much an attacking account affects another one: the time of an insertion and of a query, and the server's
memory."""

import base64
import json
import multiprocessing
import os
import re
import socket
import struct
import threading
import time

from server import Server, row

SECONDS = int(os.environ.get("NEIGHBOUR_SECONDS", 60))
IDLE_SECONDS = min(SECONDS, 20)
SECONDS_PER_TURN = 0.1


class Neighbour:
    """A server with its default limits, and two accounts that reach it as different clients behind a proxy."""

    def __init__(self, program, folder):
        self.server = Server(program, folder, rate_limit="on")
        self.program = program

    def sign_in(self, name, client):
        connection = Connection(self.server.port, client)
        connection.ask("POST", "/auth/v1/otp", {"email": f"{name}@example.org"})
        code = self.server.line(f"code for {name}@example.org: ")
        session = json.loads(connection.ask("POST", "/auth/v1/verify", {
            "type": "email", "email": f"{name}@example.org", "token": code})[1])
        connection.token, connection.user = session["access_token"], session["user"]["id"]
        return connection


class Connection:
    """One HTTP connection of a client, identified by the header of a simulated proxy."""

    def __init__(self, port, client, token=None, user=None):
        self.port, self.client, self.token, self.user = port, client, token, user
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def another(self):
        """Opens another connection of the same client."""
        return Connection(self.port, self.client, self.token, self.user)

    def send(self, method, path, body=None, headers=""):
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        bearer = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        self.socket.sendall((f"{method} {path} HTTP/1.1\r\nHost: x\r\napikey: trunk\r\nX-Forwarded-For: {self.client}\r\n"
                             f"{bearer}{headers}Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
                             ).encode() + data)

    def ask(self, *request):
        """Sends a request and returns the status and body of the response."""
        self.send(*request)
        response = b""
        while b"\r\n\r\n" not in response:
            response += self.more()
        head, _, body = response.partition(b"\r\n\r\n")
        length = int((re.search(rb"(?i)\r\ncontent-length: *(\d+)", head) or [0, 0])[1])
        chunked = re.search(rb"(?i)\r\ntransfer-encoding: *chunked", head)
        while len(body) < length or (chunked and not body.endswith(b"0\r\n\r\n")):
            body += self.more()
        return int(head.split()[1]), body

    def more(self):
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionResetError("the server closed the connection")
        return part

    def listen(self, topics, changes):
        """Makes this a live connection that joins `topics` topics and then stops reading."""
        key = base64.b64encode(os.urandom(16)).decode()
        self.send("GET", "/realtime/v1/websocket?apikey=trunk&vsn=2.0.0", None,
                  f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n")
        for topic in range(topics):
            text = json.dumps(["1", "1", f"realtime:{topic}", "phx_join", {
                "config": {"postgres_changes": changes}, "access_token": self.token}], separators=(",", ":")).encode()
            length = struct.pack(">H", len(text))
            self.socket.sendall(b"\x81\xfe" + length + bytes(4) + text)


def prioritize(process=0):
    """Gives a process priority over the attacker, 0 for this process. The attacker represents another computer, but runs on
    this one. By default, the scheduler would let it finish its time slice before the server runs, and that delay would be
    measured as the server's."""
    try:
        for thread in os.listdir(f"/proc/{process or os.getpid()}/task"):
            os.sched_setscheduler(int(thread), os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        print("neighbour: run this as root; otherwise the processor time of the attack is measured too")


class Attacker:
    """A separate process that attacks until `stop` and leaves the processor to the server and the measurement."""

    def __init__(self, account):
        account.socket.close()
        self.over = multiprocessing.Event()
        self.process = multiprocessing.Process(
            target=self.work, args=(account.port, account.client, account.token, account.user), daemon=True)
        self.process.start()

    def work(self, *account):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        attacks = Attacks(Connection(*account))
        self.over.wait()
        attacks.stop()

    def stop(self):
        self.over.set()
        self.process.join(120)
        if self.process.exitcode != 0:
            raise SystemExit(f"the attack ended with {self.process.exitcode}")


class Attacks:
    """Makes all kinds of requests at once, repeatedly, until `stop`."""

    def __init__(self, account):
        self.account = account
        # Created once, so that preparing requests doesn't slow down the attack. The first batch is just within the
        # limits, the second one is not.
        self.large, self.too_large = (json.dumps([
            row(account.user, None) | {"type": "large", "payload": {"x": "y" * 70_000}} for _ in range(count)]).encode()
            for count in (14, 100))
        self.small = json.dumps([row(account.user, None) for _ in range(2000)]).encode()
        self.stopped = threading.Event()
        self.counts = {}
        works = [self.big_joins, self.subscriptions, self.rejected_queries, self.heavy_queries, self.unread_answers,
                 self.plain_interface, self.deletions, self.connections, self.insertions, self.rejected_insertions]
        self.threads = [threading.Thread(target=self.repeat, args=(work,), daemon=True) for work in works]
        for thread in self.threads:
            thread.start()

    def repeat(self, work):
        kept = []
        while not self.stopped.is_set():
            try:
                work(kept)
                self.counts[work.__name__] = self.counts.get(work.__name__, 0) + 1
            except OSError:
                # A limit was reached. Reconnect immediately, as an attacker would.
                while kept:
                    kept.pop().socket.close()
                self.stopped.wait(0.01)

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(90)

    def big_joins(self, kept):
        live = self.account.another()
        kept.append(live)
        live.listen(20, [{}] * 15_000)

    def subscriptions(self, kept):
        """As many listeners as an account may have, which receive every row that the account inserts and read nothing."""
        live = self.account.another()
        kept.append(live)
        live.listen(10, [{"event": "INSERT", "schema": "public", "table": "events", "filter": f"type=neq.{n}"}
                         for n in range(2)])
        if len(kept) > 40:
            kept.pop(0).socket.close()

    def rejected_queries(self, kept):
        client = self.account.another()
        kept.append(client)
        terms = ",".join(f"type.neq.{n}" for n in range(900))
        client.ask("GET", f"/rest/v1/events?or=(and({terms}))&order=payload,type,client_id.desc")

    def heavy_queries(self, kept):
        """As many conditions and orderings as allowed, none of which an index helps with, over all rows."""
        client = self.account.another()
        kept.append(client)
        terms = ",".join(f"type.neq.{n}" for n in range(45))
        client.ask("GET", f"/rest/v1/events?or=(and({terms}))&order=client_timestamp,type,client_id.desc,id", None,
                   "Prefer: count=exact\r\n")
        if len(kept) > 20:
            kept.pop(0).socket.close()

    def plain_interface(self, kept):
        client = self.account.another()
        kept.append(client)
        client.ask("GET", "/api/sync/events")
        if len(kept) > 10:
            kept.pop(0).socket.close()

    def unread_answers(self, kept):
        client = self.account.another()
        kept.append(client)
        client.send("GET", "/rest/v1/events?select=*&order=created_at")
        if len(kept) > 40:
            kept.pop(0).socket.close()

    def deletions(self, kept):
        client = self.account.another()
        kept.append(client)
        # The answer to the first would be too large; the second deletes up to a gibibyte.
        client.ask("DELETE", "/rest/v1/events?type=eq.large", None, "Prefer: return=representation\r\n")
        client.ask("DELETE", "/rest/v1/events?type=eq.large")

    def connections(self, kept):
        client = self.account.another()
        kept.append(client)
        # A request that never ends.
        client.socket.sendall((f"POST /rest/v1/events HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {client.client}\r\n"
                               f"Authorization: Bearer {client.token}\r\nContent-Length: 8000000\r\n\r\n").encode())
        client.socket.sendall(b" " * 1_000_000)
        if len(kept) > 150:
            kept.pop(0).socket.close()

    def insertions(self, kept):
        client = self.account.another()
        kept.append(client)
        for body in [self.large] * 9 + [self.small]:
            client.ask("POST", "/rest/v1/events", body)

    def rejected_insertions(self, kept):
        client = self.account.another()
        kept.append(client)
        for _ in range(10):
            client.ask("POST", "/rest/v1/events", self.too_large)


def percentile(times):
    """The 99th percentile in milliseconds."""
    return sorted(times)[int(len(times) * 0.99)] * 1000


def use(account, seconds, prefix):
    """Inserts and queries for this many seconds. Returns the 99th percentile of each, in milliseconds.

    The requests have a schedule, which stays within the limits of one client. A request that is delayed by an earlier one
    is measured from its scheduled time. Otherwise a pause of many seconds would count as a single slow request."""
    insertions, queries = [], []
    client = account.another()
    start = time.perf_counter()
    for turn in range(int(seconds / SECONDS_PER_TURN)):
        for times, expected, request in (
                (insertions, 201, ("POST", "/rest/v1/events", row(client.user, f"{prefix}-{turn}"))),
                (queries, 200, ("GET", "/rest/v1/events?select=*&order=created_at.desc&limit=20"))):
            due = start + turn * SECONDS_PER_TURN + (SECONDS_PER_TURN / 2 if times is queries else 0)
            wait = due - time.perf_counter()
            if wait > 0:
                time.sleep(wait)  # until the scheduled time; this doesn't wait for an event
                due = time.perf_counter()
            try:
                status, response = client.ask(*request)
                assert status == expected, (status, response)
            except TimeoutError:
                client = account.another()
            times.append(time.perf_counter() - due)
    return percentile(insertions), percentile(queries)


def measure(program, folder, seconds=SECONDS):
    """Returns how many times longer an insertion and a query take during the attack, the maximum memory of the server in
    megabytes, and a note."""
    neighbour = Neighbour(program, folder)
    server = neighbour.server
    try:
        account, attacker = neighbour.sign_in("me", "192.0.2.1"), neighbour.sign_in("attacker", "192.0.2.2")
        prioritize(server.process.pid)
        prioritize()
        idle = use(account, min(seconds, IDLE_SECONDS), "idle")
        attacks, most, over = Attacker(attacker), 0, threading.Event()

        def watch():
            nonlocal most
            while not over.wait(0.1):
                most = max(most, server.memory())

        watcher = threading.Thread(target=watch)
        watcher.start()
        busy = use(account, seconds, "busy")
        over.set()
        watcher.join()
        attacks.stop()
        status, response = account.another().ask("GET", "/rest/v1/events?select=id&limit=1")
        assert status == 200, response
    finally:
        server.stop()
    note = (f"beside a hostile account an insertion took {busy[0]:.1f} ms and a query {busy[1]:.1f} ms, alone"
            f" {idle[0]:.1f} ms and {idle[1]:.1f} ms (99th percentiles)")
    return busy[0] / idle[0], busy[1] / idle[1], most, note


if __name__ == "__main__":
    import pathlib
    import sys
    import tempfile
    with tempfile.TemporaryDirectory() as name:
        print(measure(sys.argv[1], pathlib.Path(name) / "data"))
