"""Requests for the table: one account can use only a limited amount of memory, and responses are complete.

usage: test_tables.py TRUNK_SERVER
"""

import json
import socket
import unittest

from test_http import HEAD, MEGABYTE, Raw, WithServer


LARGE_ROWS = 5  # of 200 kB, that fit into one request


class Limits(WithServer):
    def setUp(self):
        self.email = f"{self._testMethodName}@example.org"
        self.session = self.server.sign_in(self.email)
        self.token = self.session["access_token"]

    def rows(self, count, size, start=0):
        user = self.session["user"]["id"]
        return [{"user_id": user, "type": "t", "payload": {"text": "x" * size}, "client_id": f"{start + index}"}
                for index in range(count)]

    def fill(self, count):
        """Stores rows of 200 kB, as many at once as one request may have."""
        for start in range(0, count, LARGE_ROWS):
            status, _ = self.server.request("POST", "/rest/v1/events", self.rows(LARGE_ROWS, 200_000, start), self.token)
            self.assertEqual(201, status)

    def head(self, method, query, fields=""):
        return (f"{method} /rest/v1/events?{query} HTTP/1.1\r\n{HEAD}Authorization: Bearer {self.token}\r\n"
                f"{fields}\r\n")

    def test_an_unread_answer_takes_little_memory(self):
        self.fill(150)
        before = self.memory()
        with Raw(self.server) as one, Raw(self.server) as two, Raw(self.server) as three:
            clients = [one, two, three]
            for client in clients:
                client.send(self.head("GET", "select=payload,client_id&order=client_id"))
                client.more()
            self.assertLess(self.memory() - before, 24 * MEGABYTE)
            for client in clients:
                _, headers, body = client.response()
                self.assertEqual("0-149/*", headers["content-range"])
                self.assertEqual(150, len(json.loads(body)))
            self.assertLess(self.memory() - before, 32 * MEGABYTE)
            # The connection continues in order.
            one.send(self.head("GET", "limit=0"))
            self.assertEqual(b"[]", one.response()[2])

    def test_unread_inserted_rows_take_little_memory(self):
        before = self.memory()
        clients, count = [], LARGE_ROWS
        for number in range(80):
            client = Raw(self.server)
            self.addCleanup(client.socket.close)
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
            body = json.dumps(self.rows(count, 200_000, number * count)).encode()
            client.send(self.head("POST", "", f"Prefer: return=representation\r\nContent-Length: {len(body)}\r\n").encode()
                        + body)
            client.more()
            clients.append(client)
        self.assertLess(self.memory() - before, 64 * MEGABYTE)
        for number, client in enumerate(clients):
            status, _, body = client.response()
            self.assertEqual(201, status)
            self.assertEqual([f"{number * count + index}" for index in range(count)],
                             [row["client_id"] for row in json.loads(body)])

    def test_unread_deleted_rows_take_little_memory(self):
        self.fill(150)
        clients = []
        for number in range(5):
            client = Raw(self.server)
            self.addCleanup(client.socket.close)
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
            ids = ",".join(str(number * 30 + index) for index in range(30))
            client.send(self.head("DELETE", f"client_id=in.({ids})&select=client_id,payload",
                                  "Prefer: return=representation\r\n"))
            client.more()
            clients.append(client)
        self.assertEqual([b"200"] * 2 + [b"503"] * 3, [client.rest.split()[1] for client in clients])
        for client in clients[:2]:
            self.assertEqual(30, len(json.loads(client.response()[2])))
        self.assertIn(b"53200", clients[2].response()[2])
        # Nothing that could not be returned was deleted, and there is room again.
        status, rows = self.server.request("GET", "/rest/v1/events?select=client_id", token=self.token)
        self.assertEqual((200, 90), (status, len(rows)))
        ids = ",".join(str(60 + index) for index in range(30))
        clients[2].send(self.head("DELETE", f"client_id=in.({ids})", "Prefer: return=representation\r\n"))
        self.assertEqual(200, clients[2].response()[0])

    def test_old_clients_get_large_answers_completely(self):
        self.fill(30)
        with Raw(self.server) as client:
            client.send(self.head("GET", "select=client_id,payload").replace("HTTP/1.1", "HTTP/1.0"))
            status, headers, _ = client.response()
            self.assertEqual((200, None, None),
                             (status, headers.get("transfer-encoding"), headers.get("content-length")))
            while part := client.socket.recv(1 << 20):
                client.rest += part
            self.assertEqual(30, len(json.loads(client.rest)))

    def test_the_plain_interface_reads_in_parts_too(self):
        self.fill(90)
        session = self.server.sign_in_by_plain_interface(self.email)
        status, response = self.server.request("GET", "/api/sync/events", token=session["accessToken"])
        self.assertEqual((200, 90), (status, len(response["events"])))
        self.assertEqual(response["events"][-1]["created_at"], response["latestTimestamp"])
        self.assertEqual([str(index) for index in range(90)], [event["client_id"] for event in response["events"]])

    def test_deleting_reads_no_rows(self):
        self.fill(150)
        before = self.memory()
        status, _ = self.server.request(
            "DELETE", f"/rest/v1/events?user_id=eq.{self.session['user']['id']}", token=self.token)
        self.assertEqual(204, status)
        self.assertLess(self.memory() - before, 24 * MEGABYTE)

    def test_large_bodies_of_one_account_are_limited(self):
        before = self.memory()
        body = json.dumps(self.rows(35, 230_000)).encode()
        clients = []
        for _ in range(20):
            client = Raw(self.server)
            self.addCleanup(client.socket.close)
            client.send(self.head("POST", "", f"Content-Length: {len(body)}\r\n").encode() + body[:-1])
            clients.append(client)
        # The server reads the whole body before it rejects it as too much text for one batch.
        statuses = []
        for client in clients:
            client.send(body[-1:])
            status, _, text = client.response()
            statuses.append(status)
            if status == 503:
                self.assertEqual("53200", json.loads(text)["code"])
        self.assertIn(503, statuses)
        self.assertIn(413, statuses)
        self.assertLess(self.memory() - before, 128 * MEGABYTE)
        # Small requests are always accepted, and later large ones too.
        self.assertEqual(200, self.server.request("GET", "/rest/v1/events?limit=1", token=self.token)[0])

    def test_bytes_that_are_not_text_are_rejected(self):
        body = b'{"user_id":"%s","type":"\xff","payload":{}}' % self.session["user"]["id"].encode()
        with Raw(self.server) as client:
            client.send(self.head("POST", "", f"Content-Length: {len(body)}\r\n").encode() + body)
            self.assertEqual(400, client.response()[0])

    def test_a_reader_that_continues_after_the_last_instant_misses_nothing(self):
        """As the web client does: fetches 1,000 rows without paging, then those later (`gt`) than the newest instant."""
        for start in (0, 700, 1400):
            rows = self.rows(700, 10, start)
            self.assertEqual(201, self.server.request("POST", "/rest/v1/events", rows, self.token)[0])
        seen, cursor = [], ""
        while True:
            status, page = self.server.request(
                "GET", "/rest/v1/events?select=*&order=created_at.asc" + cursor, token=self.token)
            self.assertEqual(200, status)
            if not page:
                break
            seen += [row["client_id"] for row in page]
            cursor = "&created_at=gt." + page[-1]["created_at"].replace("+", "%2B")
        self.assertEqual([str(index) for index in range(2100)], seen)


if __name__ == "__main__":
    unittest.main()
