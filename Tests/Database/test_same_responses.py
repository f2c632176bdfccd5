"""trunk-server answers requests for the table like PostgREST on a real PostgreSQL."""

import json
import sys
import unittest
import urllib.error
import urllib.parse
import urllib.request

from cluster import BUILT, ROOT, DatabaseTest
from table_service import TableService

sys.argv.insert(1, str(BUILT / "trunk-server"))
sys.path.append(str(ROOT / "Tests/Server"))
from server import KEY, Server  # noqa: E402

NAMES = ["a1", "a2", 'quo"te', "back\\slash", "com,ma", "pa(ren)", " sp ace ", "plus+", "é", "e\u0301", "*", "%", "null", ""]
# Filters, as name and value.
FILTERS = [
    *[[("client_id", f"eq.{name}")] for name in ("a1", "com,ma", "é", "e\u0301", "null", "", "%", "none")],
    [("client_id", "neq.a1")], [("client_id", "not.eq.a1")], [("client_id", "is.null")], [("client_id", "not.is.null")],
    [("client_timestamp", "not.eq.2026-02-09T14:32:07.123Z")], [("client_timestamp", "neq.x")],
    [("client_timestamp", "not.in.(x,y)")], [("client_timestamp", "not.gt.2020")], [("client_timestamp", "gt.2020")],
    [("client_id", 'in.("a1","com,ma","quo\\"te","back\\\\slash","pa(ren)"," sp ace ","é","none")')],
    [("client_id", "in.(a1,a2)")], [("client_id", "not.in.(a1,a2)")], [("client_id", "in.()")],
    [("or", "(client_id.eq.a1,client_id.eq.a2)")], [("or", "(client_id.not.eq.a1,client_timestamp.is.null)")],
    [("not.or", "(client_id.eq.a1,client_timestamp.eq.x)")], [("not.and", "(client_id.eq.a1,client_timestamp.eq.x)")],
    [("and", "(client_id.neq.a1,not.or(client_id.eq.a2,client_timestamp.eq.x))")],
    [("or", '(client_id.in.("a1","com,ma"),and(client_id.gt.a1,client_id.lte.a2))')],
    [("type", "eq.a"), ("client_id", "not.is.null")], [("client_id", "gt.a1"), ("client_id", "lt.b")],
    [("created_at", "gt.2000-01-01T00:00:00Z")], [("created_at", "lt.2000-01-01 00:00:00+02")], [("created_at", "not.lt.2000-01-01")],
    # Rejected:
    [("id", "eq.x")], [("user_id", "eq.")], [("created_at", "gt.yesterdayish")], [("created_at", "gt.2026-02-09T14:32:07 00:00")],
    [("nope", "eq.x")], [("client_id", "like")], [("client_id", "nope.x")],
    [("or", "(client_id.eq.a1")], [("select", "nope")], [("order", "nope.asc")], [("limit", "-1")],
]
# Insertions: the options, and either rows, to which `user_id` is added, or the body as text.
ROW = {"type": "t", "payload": {}, "client_id": "new", "client_timestamp": None}
INSERTIONS = [
    ("", [ROW | {"client_id": "a1"}]), ("", [ROW, ROW | {"client_id": "a1"}]), ("", [ROW | {"user_id": "x"}]),
    ("", [ROW | {"user_id": "00000000-0000-4000-8000-00000000000c"}]), ("", [ROW | {"type": None}]), ("", [ROW | {"nope": 1}]),
    ("", [ROW, {"type": "t", "payload": {}}]), ("", "{"), ("on_conflict=type", [ROW]),
    ("on_conflict=user_id,client_id", [ROW | {"client_id": "a1"}, ROW | {"client_id": "n1"}, ROW | {"client_id": "n1"}]),
    # Not "on_conflict=client_id": trunk-server accepts that form for clients that know only that one.
    ("on_conflict=id", [ROW | {"client_id": "a1"}]),
    *[("", '[{"user_id":"USER","type":"t","client_id":"s%d","payload":{"a":"%s"}}]' % (index, text)) for index, text in enumerate(
        ["\\ud800", "\\udc00", "\\udc00\\ud800", "\\ud83cx", "\\u0000", "\\ud83c\\udf31", "\\\\ud800"])],
    ("", '[{"user_id":"USER","type":"\\ud800","client_id":"t1","payload":{}}]'),
    ("", '[{"user_id":"USER","type":"t","client_id":"\\ud800","payload":{}}]'),
    ("", '[{"user_id":"USER","type":"t","client_id":"k1","payload":{"\\ud800":1}}]'),
    ("columns=type,user_id,payload", [ROW | {"nope": 1}]), ("select=client_id,type", [ROW | {"client_id": "n3", "type": 5}]),
]


class SameResponses(DatabaseTest):
    def setUp(self):
        super().setUp()
        self.owner("delete from auth.users")
        self.migrate()
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.service = TableService(self.database)
        self.addCleanup(self.service.stop)
        session = self.server.sign_in("ada@example.org")
        self.user, self.token = session["user"]["id"], session["access_token"]
        self.service.add_account(self.user)
        for index, name in enumerate([*NAMES, None, None]):
            time = ["2026-02-09T14:32:07.123Z", "x", None][index % 3]
            row = ROW | {"user_id": self.user, "client_id": name, "type": "abc"[index % 3], "client_timestamp": time,
                         "payload": {"n": index}}
            self.assertEqual([response[0] for response in self.both("POST", "", [row])], [201, 201])

    def both(self, method, query, body=None, **headers):
        """Returns the status and the body of both responses."""
        return [self.ask(url, method, query, body, headers) for url in (self.server.url, self.service.url)]

    def ask(self, url, method, query, body, headers):
        data = body if isinstance(body, (str, type(None))) else json.dumps(body)
        request = urllib.request.Request(
            f"{url}/rest/v1/events?{query}", data and data.encode(), method=method,
            headers={"apikey": KEY, "Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **headers})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())["code"]

    def test_filters_find_the_same_rows(self):
        for filters in FILTERS:
            with self.subTest(filters):
                query = urllib.parse.urlencode(
                    [("select", "client_id,type,payload")] * ("select" not in dict(filters)) + filters
                    + [("order", "created_at.asc")] * ("order" not in dict(filters)))
                ours, theirs = self.both("GET", query)
                self.assertEqual(ours, theirs)

    def test_insertions_have_the_same_results(self):
        for options, rows in INSERTIONS:
            with self.subTest(options=options, rows=rows):
                if isinstance(rows, str):
                    body = rows.replace("USER", self.user)
                else:
                    body = [{"user_id": self.user} | row for row in rows]
                resolution = "resolution=ignore-duplicates," if "on_conflict" in options else ""
                query = options if "select" in options else options + "&select=client_id,type,payload"
                ours, theirs = self.both("POST", query.strip("&"), body, Prefer=resolution + "return=representation")
                self.assertEqual(ours, theirs)
        ours, theirs = self.both("GET", "select=client_id,type,payload&order=created_at.asc,id.asc")
        self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main(verbosity=1)
