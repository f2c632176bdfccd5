"""Live connections, message by message, in both framings.

usage: test_realtime.py TRUNK_SERVER
"""

import concurrent.futures
import contextlib
import json
import pathlib
import sqlite3
import unittest

from server import KEY, Server
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

TOPIC = "realtime:garden"


class Connection:
    """One WebSocket; a message is [join_ref, ref, topic, event, payload] in either framing."""

    def __init__(self, server, version="2.0.0", key=KEY, headers=None):
        url = server.url.replace("http", "ws") + f"/realtime/v1/websocket?apikey={key}"
        self.arrays = version == "2.0.0"
        # Without a version, the server uses the old framing.
        self.socket = connect(url + (f"&vsn={version}" if version else ""), close_timeout=5, additional_headers=headers)

    def send(self, *message):
        if not self.arrays:
            message = dict(zip(("join_ref", "ref", "topic", "event", "payload"), message))
        self.socket.send(json.dumps(message))

    def receive(self):
        message = json.loads(self.socket.recv(timeout=60))
        if self.arrays:
            return message
        assert set(message) == {"topic", "event", "payload", "ref"}, message
        return [None] + [message[name] for name in ("ref", "topic", "event", "payload")]

    def join(self, token, changes, reference="1", topic=TOPIC):
        config = {"broadcast": {"ack": False, "self": False}, "presence": {"key": ""}, "postgres_changes": changes}
        self.send(reference, reference, topic, "phx_join", {"config": config, "access_token": token})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def inserts(**values):
    return {"event": "INSERT", "schema": "public", "table": "events"} | values


class Realtime(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.session = cls.server.sign_in("me@example.org")
        cls.token, cls.user = cls.session["access_token"], cls.session["user"]["id"]

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0

    def insert(self, *names, session=None, **values):
        session = session or self.session
        rows = [{"user_id": session["user"]["id"], "type": "t", "payload": {"n": 1}, "client_id": name} | values
                for name in names]
        status, response = self.server.request(
            "POST", "/rest/v1/events", rows, session["access_token"], {"Prefer": "return=representation"})
        self.assertEqual(201, status, response)
        return response

    def test_rows_arrive_in_both_framings(self):
        for version in ("2.0.0", "1.0.0", ""):
            with self.subTest(version), Connection(self.server, version) as live:
                wanted = inserts(filter=f"user_id=eq.{self.user}")
                live.join(self.token, [wanted])
                join = "1" if version == "2.0.0" else None
                reply = live.receive()
                self.assertEqual([join, "1", TOPIC, "phx_reply"], reply[:4])
                self.assertEqual("ok", reply[4]["status"])
                granted = reply[4]["response"]["postgres_changes"]
                self.assertEqual(wanted, {k: v for k, v in granted[0].items() if k != "id"})
                self.assertEqual(
                    [join, None, TOPIC, "system",
                     {"channel": "garden", "extension": "postgres_changes", "status": "ok",
                      "message": "Subscribed to PostgreSQL"}], live.receive())
                rows = self.insert(f"a{version}", f"b{version}")
                for row in rows:
                    message = live.receive()
                    self.assertEqual([None, None, TOPIC, "postgres_changes"], message[:4])
                    self.assertEqual([granted[0]["id"]], message[4]["ids"])
                    data = message[4]["data"]
                    self.assertEqual(row, data["record"])
                    self.assertEqual(("public", "events", "INSERT", None),
                                     tuple(data[k] for k in ("schema", "table", "type", "errors")))
                    self.assertRegex(data["commit_timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
                    self.assertEqual({"id", "user_id", "type", "payload", "client_id", "client_timestamp",
                                      "created_at"}, {column["name"] for column in data["columns"]})
                live.send(None, "9", "phoenix", "heartbeat", {})
                self.assertEqual([None, "9", "phoenix", "phx_reply", {"status": "ok", "response": {}}],
                                 live.receive())
                live.send("1", "10", TOPIC, "phx_leave", {})
                self.assertEqual("phx_reply", live.receive()[3])
                self.assertEqual([join, "1", TOPIC, "phx_close", {}], live.receive())

    def test_only_own_rows_that_match_a_filter_arrive(self):
        other = self.server.sign_in("other@example.org")
        with Connection(self.server) as live:
            live.join(self.token, [inserts(filter="type=eq.wanted")])
            live.receive(), live.receive()
            self.insert("theirs", session=other, type="wanted")
            self.insert("unwanted", type="boring")
            self.insert("wanted", type="wanted")
            self.assertEqual("wanted", live.receive()[4]["data"]["record"]["client_id"])

    def listen(self, stack, token, *changes, topic=TOPIC):
        live = stack.enter_context(Connection(self.server))
        live.join(token, list(changes), topic=topic)
        for _ in range(2 if changes else 1):
            self.assertEqual("ok", live.receive()[4]["status"])
        return live

    def heard(self, live):
        """Returns the names of the rows that a connection receives before the reply to a heartbeat."""
        live.send(None, "end", "phoenix", "heartbeat", {})
        names = []
        while (message := live.receive())[1] != "end":
            names.append(message[4]["data"]["record"]["client_id"])
        return names

    def test_a_row_reaches_exactly_the_subscribed_connections_of_its_user(self):
        other = self.server.sign_in("other@example.org")
        with contextlib.ExitStack() as stack:
            def listen(*arguments):
                return self.listen(stack, *arguments)

            mine = [listen(self.token, inserts()), listen(self.token, inserts(filter=f"user_id=eq.{self.user}"))]
            # This account asks for another account's rows.
            curious = listen(other["access_token"], inserts(filter=f"user_id=eq.{self.user}"))
            theirs = listen(other["access_token"], inserts())
            deaf = [listen(self.token), listen(None, inserts()), listen(self.token, inserts(filter="type=eq.rare"))]
            gone = listen(self.token, inserts())
            gone.send("1", "2", TOPIC, "phx_leave", {})
            self.assertEqual(["phx_reply", "phx_close"], [gone.receive()[3], gone.receive()[3]])

            self.insert("mine 1", "mine 2")
            self.insert("not mine", session=other)
            self.insert("last")
            # Rows are delivered one after the other, so when the last one has arrived, all others have.
            for live in mine:
                names = [live.receive()[4]["data"]["record"]["client_id"] for _ in range(3)]
                self.assertEqual(["mine 1", "mine 2", "last"], names)
            self.assertEqual(["not mine"], self.heard(theirs))
            for live in [*mine, curious, *deaf, gone]:
                self.assertEqual([], self.heard(live))

    def test_rows_arrive_while_the_writer_is_busy(self):
        with contextlib.ExitStack() as stack:
            live = self.listen(stack, self.token, inserts())
            path = pathlib.Path(self.server.folder.name) / "trunk-server.db"
            database = stack.enter_context(contextlib.closing(sqlite3.connect(path, isolation_level=None)))
            names = [f"busy {number}" for number in range(500)]
            self.insert(*names)
            # Keeps the next transaction waiting.
            database.execute("BEGIN IMMEDIATE")
            waiting = stack.enter_context(concurrent.futures.ThreadPoolExecutor(1)).submit(self.insert, "after")
            try:
                self.assertEqual(names, [live.receive()[4]["data"]["record"]["client_id"] for _ in names])
                self.assertFalse(waiting.done())
            finally:
                database.execute("ROLLBACK")
            self.assertEqual(1, len(waiting.result(60)))
            self.assertEqual("after", live.receive()[4]["data"]["record"]["client_id"])

    def test_the_key_alone_can_join_but_receives_nothing(self):
        with Connection(self.server) as live:
            live.join(None, [inserts()])
            self.assertEqual("ok", live.receive()[4]["status"])
            self.assertEqual("ok", live.receive()[4]["status"])
            self.insert("unheard")
            live.send(None, "2", "phoenix", "heartbeat", {})
            self.assertEqual("phoenix", live.receive()[2])

    def test_bad_joins_are_rejected(self):
        with Connection(self.server) as live:
            for token, code in (("x.y.z", "JwtSignatureError"), ("nonsense", "MalformedJWT")):
                live.join(token, [inserts()])
                response = live.receive()[4]
                self.assertEqual("error", response["status"])
                self.assertTrue(response["response"]["reason"].startswith(code), response)
            live.join(self.token, [inserts()], topic="realtime:")
            self.assertEqual("error", live.receive()[4]["status"])
            live.join(self.token, [inserts(table="users")], topic="realtime:t")
            self.assertEqual("ok", live.receive()[4]["status"])
            self.assertEqual("error", live.receive()[4]["status"])
            live.socket.send("no JSON")
            live.socket.send(b"binary")
            live.send(None, "2", "phoenix", "heartbeat", {})
            self.assertEqual("2", live.receive()[1])
        for key in ("", "wrong"):
            with self.assertRaises(InvalidStatus) as rejected:
                Connection(self.server, key=key)
            self.assertEqual(401, rejected.exception.response.status_code)

    def test_joining_again_closes_the_older_join(self):
        with Connection(self.server) as live:
            live.join(self.token, [inserts()])
            live.receive(), live.receive()
            live.join(self.token, [inserts()], reference="5")
            self.assertEqual(["1", "1", TOPIC, "phx_close", {}], live.receive())
            self.assertEqual(["5", "5", TOPIC, "phx_reply"], live.receive()[:4])
            live.receive()
            self.insert("once")
            self.assertEqual("once", live.receive()[4]["data"]["record"]["client_id"])
            live.send(None, "2", "phoenix", "heartbeat", {})
            self.assertEqual("2", live.receive()[1], "told once")

    def test_large_messages_end_the_connection(self):
        with Connection(self.server) as live:
            live.socket.send("x" * (2 << 20))
            with self.assertRaises(ConnectionClosed) as closed:
                live.receive()
            self.assertEqual(1009, closed.exception.rcvd.code)

    def test_tokens_of_both_interfaces_count(self):
        own = self.server.sign_in_by_plain_interface("me@example.org")
        with Connection(self.server) as live:
            live.join(own["accessToken"], [inserts()])
            live.receive(), live.receive()
            self.insert("own")
            self.assertEqual("own", live.receive()[4]["data"]["record"]["client_id"])


class Expiry(unittest.TestCase):
    def test_a_topic_ends_with_its_token_unless_it_is_renewed(self):
        server = Server("--access-token-life", "2")
        self.addCleanup(server.stop)
        session = server.sign_in("me@example.org")
        with Connection(server) as live:
            live.join(session["access_token"], [inserts()])
            live.receive(), live.receive()
            _, renewed = server.request(
                "POST", "/auth/v1/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]})
            live.send("1", "2", TOPIC, "access_token", {"access_token": renewed["access_token"]})
            self.assertEqual("Subscribed to PostgreSQL", live.receive()[4]["message"])
            message = live.receive()
            self.assertEqual("system", message[3])
            self.assertEqual(("error", "system"), (message[4]["status"], message[4]["extension"]))
            self.assertIn("Token has expired", message[4]["message"])
            self.assertEqual(["1", "1", TOPIC, "phx_close", {}], live.receive())
            # The connection itself stays.
            live.join(renewed["access_token"], [inserts()], reference="7")
            self.assertIn("expired", live.receive()[4]["response"]["reason"])

    def test_clients_are_notified_when_the_server_ends(self):
        server = Server()
        session = server.sign_in("me@example.org")
        with Connection(server) as live:
            live.join(session["access_token"], [inserts()])
            live.receive(), live.receive()
            self.assertEqual(0, server.stop())
            with self.assertRaises(ConnectionClosed) as closed:
                live.receive()
            self.assertEqual(1001, closed.exception.rcvd.code)


if __name__ == "__main__":
    unittest.main()
