"""SIGTERM at any moment ends the server, loses no acknowledged row and leaves one complete file.

usage: test_termination.py TRUNK_SERVER     TERMINATIONS is the number of rounds, by default 150
"""

import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import server as servers

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Support"))
from termination import LIMIT, terminate  # noqa: E402

ROUNDS = int(os.environ.get("TERMINATIONS", 150))
CLIENTS = 4


class Load:
    """Clients that insert and read until their connections end. Records which rows were acknowledged."""

    def __init__(self, port, session, prefix):
        self.port, self.session, self.prefix = port, session, prefix
        self.acknowledged = set()
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def work(self, number):
        head = f"Host: localhost\r\napikey: trunk\r\nAuthorization: Bearer {self.session['access_token']}\r\n"
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT) as connection:
                count = 0
                while True:
                    name = f"{self.prefix}-{number}-{count}"
                    body = json.dumps({"user_id": self.session["user"]["id"], "type": "t", "payload": {"n": count},
                                       "client_id": name}).encode()
                    connection.sendall((f"POST /rest/v1/events HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n"
                                        ).encode() + body)
                    status = connection.recv(65536)[:12]
                    if not status:
                        return
                    if status == b"HTTP/1.1 201":
                        self.acknowledged.add(name)
                    connection.sendall(f"GET /rest/v1/events?limit=1 HTTP/1.1\r\n{head}\r\n".encode())
                    if not connection.recv(65536):
                        return
                    count += 1
        except OSError:
            pass  # The server has ended.

    def join(self):
        for thread in self.threads:
            thread.join(LIMIT)
        return self.acknowledged


class Termination(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trunk-server-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self):
        return subprocess.Popen(
            [servers.PROGRAM, "--data", self.folder, "--listen", "127.0.0.1:0", "--print-codes", "--rate-limit", "off"],
            stdout=subprocess.PIPE, text=True)

    def end(self, process, number):
        """Sends one SIGTERM and waits for the exit status."""
        try:
            return terminate(process)
        except AssertionError as error:
            self.fail(f"round {number}: {error}")
        finally:
            process.stdout.close()

    def sign_in(self):
        server = servers.Server.__new__(servers.Server)
        server.process = self.start()
        server.url = server.line("listening on ")
        session = server.sign_in("me@example.org")
        self.assertEqual(0, self.end(server.process, 0))
        return session

    def stored(self):
        """Returns the rows in the database file, without those in its write-ahead log."""
        database = sqlite3.connect(f"file:{self.folder}/trunk-server.db?immutable=1", uri=True)
        try:
            return {name for name, in database.execute("SELECT client_id FROM events")}
        finally:
            database.close()

    @staticmethod
    def masks(process):
        """Returns the signals that each thread blocks. Leaves out the main thread, which waits for signals."""
        masks = {}
        for path in pathlib.Path(f"/proc/{process.pid}/task").glob("*/status"):
            if path.parent.name == str(process.pid):
                continue
            try:
                masks[path.parent.name] = int(re.search(r"^SigBlk:\s*(\w+)", path.read_text(), re.M)[1], 16)
            except (FileNotFoundError, ProcessLookupError):
                pass  # The thread has ended.
        return masks

    def test_one_signal_at_a_random_moment_under_load_is_enough(self):
        session = self.sign_in()
        acknowledged, longest, seed = set(), 0, random.randrange(1 << 32)
        choice = random.Random(seed)
        for number in range(1, ROUNDS + 1):
            process = self.start()
            port = int(process.stdout.readline().rpartition(":")[2])
            load = Load(port, session, number)
            time.sleep(choice.random() * 0.25)  # a random moment; this doesn't wait for anything
            begin = time.monotonic()
            status = self.end(process, number)
            longest = max(longest, time.monotonic() - begin)
            acknowledged |= load.join()
            self.assertEqual(0, status, f"round {number}, seed {seed}")
            self.assertEqual([], sorted(path.name for path in self.folder.glob("trunk-server.db-*")))
            self.assertEqual(set(), acknowledged - self.stored(), f"round {number}, seed {seed}")
        self.assertGreater(len(acknowledged), ROUNDS)
        print(f"{ROUNDS} terminations, the longest took {longest:.2f} s; {len(acknowledged)} rows kept")

    def test_every_thread_blocks_the_signals(self):
        """The system may deliver a signal to any thread that doesn't block it, and that thread would discard it."""
        session = self.sign_in()
        process = self.start()
        load = Load(int(process.stdout.readline().rpartition(":")[2]), session, "masks")
        wanted = 1 << signal.SIGTERM - 1 | 1 << signal.SIGINT - 1
        try:
            masks, end = {}, time.monotonic() + LIMIT
            while (len(masks) <= 2 or len(load.acknowledged) < 20) and time.monotonic() < end:
                masks = self.masks(process)
                self.assertEqual([], [thread for thread, mask in masks.items() if mask & wanted != wanted])
        finally:
            self.assertEqual(0, self.end(process, 0))
            load.join()
        # The thread for all connections, and those of the database.
        self.assertGreater(len(masks), 2)

    def test_a_crash_writes_no_copy_of_its_memory(self):
        """It would contain the key that signs access tokens, and journal texts."""
        process = self.start()
        try:
            process.stdout.readline()
            limits = pathlib.Path(f"/proc/{process.pid}/limits").read_text(encoding="utf-8")
            self.assertRegex(limits, r"Max core file size +0 +0 ")
        finally:
            self.assertEqual(0, self.end(process, 0))

    def test_an_unfinished_request_does_not_delay_the_end(self):
        process = self.start()
        self.addCleanup(process.kill)
        port = int(process.stdout.readline().rpartition(":")[2])
        with contextlib.ExitStack() as stack:
            for head in ("Content-Length: 500\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n5\r\nab"):
                client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LIMIT))
                client.sendall(f"POST /rest/v1/events HTTP/1.1\r\nHost: localhost\r\n{head}".encode())
                # When a later request gets its response, this one has arrived too.
                with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as other:
                    other.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    self.assertTrue(other.recv(100))
            begin = time.monotonic()
            self.assertEqual(0, self.end(process, 0))
            # A request may take 30 seconds.
            self.assertLess(time.monotonic() - begin, 25)

    def test_a_signal_during_the_start_ends_the_server(self):
        for number in range(ROUNDS):
            process = self.start()
            time.sleep(random.random() * 0.08)  # the random moment
            # Before the program handles the signal, the system ends it.
            self.assertIn(self.end(process, number), (0, -signal.SIGTERM))


if __name__ == "__main__":
    unittest.main()
