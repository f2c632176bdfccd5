"""The documented move from trunk-server to Supabase: runs the commands of the document on rows that are hard to copy."""

import datetime
import decimal
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import uuid

from cluster import BUILT, ROOT, DatabaseTest
from table_service import TableService

sys.argv.insert(1, str(BUILT / "trunk-server"))
sys.path.append(str(ROOT / "Tests/Server"))
from server import Server  # noqa: E402

TEXTS = [
    "plain", "", " ", "'single' ''twice''", '"double" ""twice""', "a,b;c\td|e", "line one\nline two\r\nline three\rfour", "\n", "\\.",
    "before\n\\.\nafter", "\\N", "\\", "\\\\", "\\\\ud800", "\\u0000 as text", "\\x41", "NULL", "null", "{}", "%s %d", "$$", "--", "\x01\x1f\x7f",
    "é e\u0301 ß ﬁ", "日本語", "שלום", "👩\u200d👩\u200d👧 🌱", "\ufeffmark", "\U0010ffff", "\u2028", "z" * 2000, "ä\"\n" * 600]
# Payloads as they are sent. Only their meaning must survive: PostgreSQL keeps neither spaces nor all duplicate names.
PAYLOADS = [
    "{}", "[]", "null", "true", '"text"', "0", '""', '{"":""}', '{"a":1,"a":2,"a":[3,{"b":4,"b":5}]}', '{ "spaces" : [ 1 ,2 ] }',
    '{"escapes":"\\u0041\\n\\t\\/\\ud83c\\udf31 \\\\ud800 \\\\\\\\udfff"}',
    "[1.0,1.50,-0,-0.0,1e3,1E-7,0.1,123456789012345678901234567890,1.7976931348623157e308,5e-324,1e400]", "[" * 60 + "]" * 60]
# (sent by an earlier version, stored after the move)
HALVES = [
    ('{"a":"x\\ud800y"}', {"a": "x\ufffdy"}), ('{"a":"\\uDFFF"}', {"a": "\ufffd"}), ('{"\\ud83c":"\\udf31"}', {"\ufffd": "\ufffd"}),
    ('{"a":"\\ud83c\\ud83c\\udf31\\udf31\\\\ud800\\\\\\ud800"}', {"a": "\ufffd🌱\ufffd\\ud800\\\ufffd"})]
MICROSECONDS = [0, -1, -1_500_000, 1, 999_999, 1_770_647_527_123_456, 253_402_300_799_999_999, -62_135_596_800_000_000]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def meaning(text):
    """Returns the meaning of a JSON text: the last of duplicate names, and numbers by value."""
    return json.loads(text, parse_float=decimal.Decimal, parse_int=decimal.Decimal)


def commands():
    """Returns the commands in the document, in the order of their steps."""
    text = (ROOT / "docs/moving-to-supabase.md").read_text(encoding="utf-8")
    section = text.split("## All users at once")[1].split("\n## ")[0]
    return [re.sub(r"^   ", "", block, flags=re.M) for block in re.findall(r"^   ```sh\n(.*?)^   ```$", section, re.M | re.S)]


class Moving(DatabaseTest):
    def setUp(self):
        super().setUp()
        self.owner("delete from auth.users")
        self.migrate()
        self.service = TableService(self.database)
        self.addCleanup(self.service.stop)
        self.server = Server()
        self.addCleanup(self.server.stop)
        folder = tempfile.TemporaryDirectory(prefix="trunk-move-")
        self.addCleanup(folder.cleanup)
        # The document says to work in a copy of the repository.
        self.work = folder.name
        os.symlink(ROOT / "supabase", self.work + "/supabase")
        self.data = self.server.folder.name

    def sign_in(self, email, **metadata):
        session = self.server.sign_in(email)
        status, _ = self.server.request("PUT", "/auth/v1/user", {"data": metadata}, session["access_token"])
        self.assertEqual(status, 200)
        return session

    def send(self, session, **row):
        row = {"user_id": session["user"]["id"], "type": "sun_shone", "payload": {}, "client_id": str(uuid.uuid4()),
               "client_timestamp": "2026-02-09T14:32:07.123Z"} | row
        self.assertEqual(self.server.request("POST", "/rest/v1/events", row, session["access_token"]), (201, None))

    def store(self, session, payload, microseconds):
        """Stores a row that this version of the server would reject, but an earlier one accepted."""
        with sqlite3.connect(self.data + "/trunk-server.db") as database:
            database.execute("insert into events (id, user_id, type, payload, client_id, created_at) values (?, ?, 'sun_shone', ?, ?, ?)", (
                str(uuid.uuid4()), session["user"]["id"], payload, str(uuid.uuid4()), microseconds))
        database.close()

    def stop_server(self):
        self.server.process.terminate()
        self.assertEqual(self.server.process.wait(30), 0)

    def move(self, step):
        """Runs the commands of one step of the document."""
        script = commands()[step - 1].replace("/var/lib/trunk-server", self.data)
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=self.work, capture_output=True, text=True,
            env=os.environ | {"SUPABASE_URL": self.service.url, "SERVICE_KEY": "service", "DATABASE_URL": self.database.uri,
                              "PATH": f"{BUILT}:{os.environ['PATH']}"})

    def succeed(self, step):
        done = self.move(step)
        self.assertEqual(done.returncode, 0, done)
        self.assertNotIn("not created", done.stdout)
        return done

    def rows_before(self):
        with sqlite3.connect(self.work + "/garden.db") as database:
            rows = database.execute(
                "select id, user_id, type, payload, client_id, client_timestamp, created_at from events").fetchall()
        database.close()
        halves = dict(HALVES)
        return {row[0]: (*row[1:3], halves[row[3]] if row[3] in halves else meaning(row[3]), *row[4:6],
                         EPOCH + datetime.timedelta(microseconds=row[6])) for row in rows}

    def rows_after(self):
        [text] = self.service.transaction("""select json_agg(json_build_array(id, user_id, type, payload::text, client_id,
            client_timestamp, (extract(epoch from created_at) * 1000000)::bigint)) from public.events""")
        return {row[0]: (*row[1:3], meaning(row[3]), *row[4:6], EPOCH + datetime.timedelta(microseconds=row[6]))
                for row in text}

    def test_awkward_rows_and_accounts_arrive_exactly(self):
        ada = self.sign_in("ada@example.org", full_name='Ada "O\'Neil" \\ \n\u00e9🌱', timezone="Europe/Berlin", nested={"a": [1, None]})
        ben = self.sign_in("ben+tag@example.org")
        for text in TEXTS:
            for session, start in [(ada, ""), (ben, "Ben's ")]:
                self.send(session, client_id=start + text, payload={"content": text, text: [text]})
            self.send(ada, type=text or "x", client_timestamp=text)
        for payload in PAYLOADS:
            self.store(ada, payload, 1_770_647_527_000_000)
        for column in ("client_id", "client_timestamp"):
            self.send(ada, **{column: None})
            self.send(ada, **{column: None})
        for microseconds in MICROSECONDS:
            self.store(ben, "{}", microseconds)
        for payload, _ in HALVES:
            self.store(ben, payload, 1_770_647_527_000_001)
        self.stop_server()
        self.succeed(1)
        self.succeed(2)
        [accounts] = self.service.transaction(
            "select json_agg(json_build_array(id, email, raw_user_meta_data) order by email) from auth.users")
        self.assertEqual(accounts, [
            [ada["user"]["id"], "ada@example.org",
             {"full_name": 'Ada "O\'Neil" \\ \n\u00e9🌱', "timezone": "Europe/Berlin", "nested": {"a": [1, None]}}],
            [ben["user"]["id"], "ben+tag@example.org", {}]])
        self.succeed(3)
        done = self.succeed(4)
        self.assertEqual(done.stderr.count("has half a character, which is now U+FFFD"), len(HALVES))
        before = self.rows_before()
        self.assertEqual(len(before), 3 * len(TEXTS) + len(PAYLOADS) + 4 + len(MICROSECONDS) + len(HALVES))
        self.assertEqual(self.rows_after(), before)
        self.assertEqual(self.move(5).stdout, "All events are there.\n")
        self.owner(f"delete from events where user_id = '{ben['user']['id']}' and client_id = 'Ben''s plain'")
        done = self.move(5)
        self.assertEqual(done.returncode, 1)
        self.assertIn(ben["user"]["id"], done.stdout)

    def test_nothing_is_loaded_while_one_payload_or_account_does_not_fit(self):
        ada = self.sign_in("ada@example.org")
        self.send(ada)
        self.store(ada, '{"a":1e200000}', 1)
        self.store(ada, '{"a":"\\u0000"}', 2)
        self.stop_server()
        for step in (1, 3):
            self.succeed(step)
        with sqlite3.connect(self.work + "/garden.db") as database:
            bad = database.execute("select id from events where created_at < 3").fetchall()
            done = self.move(4)
            self.assertEqual(done.returncode, 3)
            for [name] in bad:
                self.assertIn(f"Event {name} of account {ada['user']['id']}: ", done.stderr)
            self.assertIn("Nothing was loaded", done.stderr)
            database.execute("delete from events where created_at < 3")
        database.close()
        self.succeed(3)
        done = self.move(4)
        self.assertEqual(done.returncode, 3)
        self.assertIn(f"Key (user_id)=({ada['user']['id']}) is not present", done.stderr)
        self.assertEqual(self.service.transaction("select count(*) from public.events"), (0,))
        self.succeed(2)
        self.succeed(4)
        self.assertEqual(self.rows_after(), self.rows_before())
        # Loading twice stores nothing twice.
        self.assertEqual(self.move(4).returncode, 3)
        self.assertEqual(self.rows_after(), self.rows_before())


if __name__ == "__main__":
    unittest.main(verbosity=1)
