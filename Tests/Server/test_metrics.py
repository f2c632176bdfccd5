"""The server's metrics, as Prometheus reads them.

usage: test_metrics.py TRUNK_SERVER
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from server import KEY, PROGRAM, Server
from websockets.sync.client import connect

NAME = r"[a-z_:][a-z0-9_:]*"
LABELS = rf'(?:\{{{NAME}="(?:[^"\\\n]|\\[\\"n])*"(?:,{NAME}="(?:[^"\\\n]|\\[\\"n])*")*\}})?'
SAMPLE = re.compile(rf"({NAME})({LABELS}) (-?[0-9.]+(?:e[+-]?[0-9]+)?|[+-]Inf|NaN)")
LIMIT = 60


class Metrics(unittest.TestCase):
    def start(self, *arguments):
        server = Server("--metrics", "0", *arguments)
        self.addCleanup(server.process.kill)
        server.metrics = server.line("metrics on ")
        self.assertRegex(server.metrics, r"^http://127\.0\.0\.1:\d+/metrics$")
        return server

    def read(self, server):
        """Returns the values by name and labels, after checking the format."""
        with urllib.request.urlopen(server.metrics, timeout=LIMIT) as answer:
            self.assertEqual("text/plain; version=0.0.4; charset=utf-8", answer.headers["Content-Type"])
            text = answer.read().decode()
        self.assertTrue(text.endswith("\n"))
        values, kinds, described = {}, {}, set()
        for line in text.splitlines():
            if line.startswith("# HELP "):
                described.add(line.split()[2])
            elif line.startswith("# TYPE "):
                _, _, name, kind = line.split()
                self.assertNotIn(name, kinds)
                kinds[name] = kind
            else:
                name, labels, value = SAMPLE.fullmatch(line).groups()
                family = name if name in kinds else re.sub(r"_(bucket|sum|count)$", "", name)
                self.assertEqual(family, list(kinds)[-1], line)
                self.assertNotIn(name + labels, values)
                values[name + labels] = float(value)
                if kinds[family] == "counter":
                    self.assertTrue(name.endswith("_total"), name)
        self.assertEqual(set(kinds), described)
        return values

    def wait(self, server, name, value):
        end = time.monotonic() + LIMIT
        while (found := self.read(server).get(name)) != value:
            self.assertLess(time.monotonic(), end, f"{name} is {found}, not {value}")

    def test_an_operator_sees_what_happens(self):
        server = self.start()
        before = self.read(server)
        self.assertEqual(0, before["trunk_accounts"])
        self.assertLess(abs(time.time() - before["process_start_time_seconds"]), LIMIT)
        session = server.sign_in("ada.lovelace@example.org")
        token = session["access_token"]
        rows = [{"user_id": session["user"]["id"], "type": "t", "payload": {}, "client_id": name} for name in "abc"]
        self.assertEqual(201, server.request("POST", "/rest/v1/events", rows, token)[0])
        self.assertEqual(409, server.request("POST", "/rest/v1/events", rows, token)[0])
        self.assertEqual(413, server.request("POST", "/rest/v1/events", [rows[0]] * 2001, token)[0])
        self.assertEqual(404, server.request("GET", "/nowhere")[0])
        subprocess.run([PROGRAM, "backup", "--data", server.folder.name], check=True, stdout=subprocess.DEVNULL)
        with contextlib.closing(connect(
                server.url.replace("http", "ws") + f"/realtime/v1/websocket?apikey={KEY}&vsn=2.0.0")) as live:
            live.send(json.dumps([None, "1", "phoenix", "heartbeat", {}]))
            live.recv(timeout=LIMIT)
            values = self.read(server)
            self.assertEqual(1, values["trunk_live_connections"])
            self.assertGreaterEqual(values["trunk_connections"], 1)
        self.wait(server, "trunk_live_connections", 0)
        self.assertEqual(1, values["trunk_accounts"])
        self.assertEqual(3, values["trunk_events_stored_total"])
        self.assertEqual(1, values['trunk_http_requests_total{group="events",status="2xx"}'])
        self.assertEqual(2, values['trunk_http_requests_total{group="events",status="4xx"}'])
        self.assertEqual(2, values['trunk_http_requests_total{group="auth",status="2xx"}'])
        self.assertEqual(1, values['trunk_http_requests_total{group="live",status="1xx"}'])
        self.assertEqual(1, values['trunk_http_requests_total{group="other",status="4xx"}'])
        self.assertEqual(1, values['trunk_rejections_total{reason="too_large"}'])
        self.assertEqual(3, values['trunk_http_request_duration_seconds_count{group="events"}'])
        self.assertGreater(values['trunk_http_request_duration_seconds_sum{group="events"}'], 0)
        self.assertGreaterEqual(values["trunk_commit_duration_seconds_count"], 3)
        folder = pathlib.Path(server.folder.name)
        self.assertEqual((folder / "trunk-server.db").stat().st_size, values["trunk_database_size_bytes"])
        self.assertEqual((folder / "trunk-server.db-wal").stat().st_size, values["trunk_database_wal_size_bytes"])
        disk = os.statvfs(folder)
        self.assertLess(abs(disk.f_bavail * disk.f_frsize - values["trunk_disk_free_bytes"]), 1 << 30)
        self.assertGreater(values["trunk_disk_reserve_bytes"], 0)
        self.assertLess(abs(time.time() - values["trunk_backup_newest_timestamp_seconds"]), LIMIT)
        self.assertEqual([], [name for name in values if "ada" in name or session["user"]["id"] in name])
        self.assertEqual(0, server.stop())

    def test_other_host_names_are_rejected(self):
        server = self.start()
        port = int(server.metrics.split(":")[2].split("/")[0])
        for host, status in ((f"127.0.0.1:{port}", 200), (f"localhost:{port}", 200), ("127.0.0.1", 200), (None, 421),
                             (f"metrics.example.org:{port}", 421), ("127.0.0.1.example.org", 421),
                             ("localhost:80@example.org", 421)):
            client = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
            self.addCleanup(client.close)
            client.putrequest("GET", "/metrics", skip_host=True)
            if host:
                client.putheader("Host", host)
            client.endheaders()
            self.assertEqual(status, client.getresponse().status, host)

    def test_limits_are_counted_by_reason(self):
        server = self.start("--account-rows", "1", "--rate-limit", "on")
        session = server.sign_in("me@example.org")
        rows = [{"user_id": session["user"]["id"], "type": "t", "payload": {}}] * 2
        self.assertEqual(507, server.request("POST", "/rest/v1/events", rows, session["access_token"])[0])
        for _ in range(40):
            status, _ = server.request("POST", "/auth/v1/otp", {"email": "me@example.org"})
        self.assertEqual(429, status)
        values = self.read(server)
        self.assertEqual(1, values['trunk_rejections_total{reason="account_full"}'])
        self.assertEqual(0, values['trunk_rejections_total{reason="server_full"}'])
        # The first request for a code signed in. 29 more were too soon after it, and the rest too many for a client.
        paused, limited = (values[f'trunk_rejections_total{{reason="{reason}"}}'] for reason in ("code_pause", "rate_limit"))
        self.assertEqual(40, paused + limited)
        self.assertGreaterEqual(paused, 29)
        self.assertGreater(limited, 0)
        self.assertEqual(0, server.stop())

    def test_without_a_backup_there_is_no_time_of_it(self):
        server = self.start("--backup-every", "0")
        self.assertNotIn("trunk_backup_newest_timestamp_seconds", self.read(server))
        self.assertEqual(0, server.stop())

    def test_only_the_metrics_are_served_and_only_for_get(self):
        server = self.start()
        for method, path, status in (("GET", "/", 404), ("GET", "/metricsx", 404), ("POST", "/metrics", 405),
                                     ("GET", "/rest/v1/events", 404)):
            with self.assertRaises(urllib.error.HTTPError) as error:
                urllib.request.urlopen(urllib.request.Request(
                    server.metrics.removesuffix("/metrics") + path, method=method), timeout=LIMIT)
            self.assertEqual(status, error.exception.code)
            error.exception.close()
        # The port of clients doesn't serve them.
        self.assertEqual(404, server.request("GET", "/metrics")[0])
        self.assertEqual(0, server.stop())

    def test_many_connections_do_not_keep_clients_out(self):
        server = self.start()
        port = int(server.metrics.split(":")[2].split("/")[0])
        with contextlib.ExitStack() as stack:
            for _ in range(50):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LIMIT))
            self.assertEqual(200, server.request("GET", "/auth/v1/health")[0])
        end = time.monotonic() + LIMIT
        while True:
            try:
                self.read(server)
                break
            except OSError:
                self.assertLess(time.monotonic(), end)
        self.assertEqual(0, server.stop())

    def test_other_addresses_are_rejected(self):
        for value in ("0.0.0.0:9464", "192.0.2.1:9464", "[::]:9464", "localhost:9464", "70000", "x", ":9464"):
            done = subprocess.run([PROGRAM, "--data", "/nowhere", "--print-codes", "--metrics", value],
                                  capture_output=True, text=True, timeout=LIMIT)
            self.assertEqual((64, ""), (done.returncode, done.stdout), value)

    def test_a_port_in_use_is_reported(self):
        with socket.create_server(("127.0.0.1", 0)) as other, tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [PROGRAM, "--data", folder, "--listen", "127.0.0.1:0", "--print-codes", "--metrics",
                 str(other.getsockname()[1])], capture_output=True, text=True, timeout=LIMIT)
            self.assertEqual((1, ""), (done.returncode, done.stdout))
            self.assertIn("Address already in use", done.stderr)


if __name__ == "__main__":
    unittest.main()
