"""Supabase's own client for Python as a second device, against the built server.

usage: test_supabase_py.py TRUNK_SERVER
"""

import asyncio
import unittest
import uuid

from server import KEY, Server
from supabase import AuthApiError, PostgrestAPIError, acreate_client, create_client

def row(user, client_id, **values):
    return {"user_id": user, "type": "sun-shone", "payload": {"text": "Grüße \u2600", "n": 1.5},
            "client_id": client_id, "client_timestamp": "2026-02-09T14:32:07.123Z"} | values


class Table(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0, "SIGTERM is no failure"

    def sign_in(self, email):
        client = create_client(self.server.url, KEY)
        client.auth.sign_in_with_otp({"email": email})
        code = self.server.line(f"code for {email}: ")
        session = client.auth.verify_otp({"email": email, "token": code, "type": "email"})
        return client, session.user.id

    def setUp(self):
        self.client, self.user = self.sign_in(f"{uuid.uuid4().hex}@example.org")
        self.events = lambda: self.client.table("events")

    def test_a_row_comes_back_as_it_was(self):
        mine = row(self.user, "a-" + self.user)
        stored = self.events().insert(mine).execute().data[0]
        self.assertEqual(mine, {name: stored[name] for name in mine})
        uuid.UUID(stored["id"])
        self.assertRegex(stored["created_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?\+00:00$")
        self.assertEqual([stored], self.events().select("*").eq("user_id", self.user).execute().data)

    def test_pulling_goes_by_instants_and_keys(self):
        for start in (0, 600):
            rows = [row(self.user, f"{i}-{self.user}") for i in range(start, start + 600)]
            self.events().insert(rows).execute()
        first = self.events().select("*").order("created_at").order("id").execute().data
        self.assertEqual(1000, len(first))
        last = first[-1]
        rest = (self.events().select("*")
                .or_(f"created_at.gt.{last['created_at']},"
                     f"and(created_at.eq.{last['created_at']},id.gt.{last['id']})")
                .order("created_at").order("id").limit(1000).execute().data)
        self.assertEqual(200, len(rest))
        self.assertEqual(1200, len({r["client_id"] for r in first + rest}))
        counted = self.events().select("id", count="exact").limit(1).execute()
        self.assertEqual(1200, counted.count)
        head = self.events().select("*", count="exact", head=True).execute()
        self.assertEqual(1200, head.count)
        later = self.events().select("id").gt("created_at", first[599]["created_at"]).execute().data
        self.assertEqual(600, len(later))

    def test_duplicates_are_skipped(self):
        name = "a-" + self.user
        self.events().insert(row(self.user, name)).execute()
        with self.assertRaises(PostgrestAPIError) as rejected:
            self.events().insert(row(self.user, name)).execute()
        self.assertEqual("23505", rejected.exception.code)
        rows = [row(self.user, name), row(self.user, "b-" + self.user)]
        new = self.events().upsert(rows, on_conflict="client_id", ignore_duplicates=True).execute().data
        self.assertEqual(["b-" + self.user], [r["client_id"] for r in new])

    def test_rows_of_others_are_inaccessible(self):
        self.events().insert(row(self.user, "a-" + self.user)).execute()
        other, _ = self.sign_in(f"{uuid.uuid4().hex}@example.org")
        self.assertEqual([], other.table("events").select("*").execute().data)
        other.table("events").delete().eq("user_id", self.user).execute()
        with self.assertRaises(PostgrestAPIError) as rejected:
            other.table("events").insert(row(self.user, "forged")).execute()
        self.assertEqual("42501", rejected.exception.code)
        self.assertEqual(1, len(self.events().select("*").execute().data))

    def test_deleting_removes_rows(self):
        self.events().insert([row(self.user, f"{i}-{self.user}") for i in range(3)]).execute()
        gone = self.events().delete().eq("client_id", f"1-{self.user}").execute().data
        self.assertEqual([f"1-{self.user}"], [r["client_id"] for r in gone])
        self.events().delete().eq("user_id", self.user).execute()
        self.assertEqual([], self.events().select("*").execute().data)

    def test_sessions_are_renewed_and_ended(self):
        before = self.client.auth.get_session()
        after = self.client.auth.refresh_session().session
        self.assertNotEqual(before.refresh_token, after.refresh_token)
        self.assertEqual(self.user, self.client.auth.get_user().user.id)
        updated = self.client.auth.update_user({"data": {"name": "Ada"}}).user
        self.assertEqual("Ada", updated.user_metadata["name"])
        self.client.auth.sign_out({"scope": "local"})
        with self.assertRaises(AuthApiError) as rejected:
            self.client.auth.refresh_session(after.refresh_token)
        self.assertEqual("refresh_token_not_found", rejected.exception.code)

    def test_a_wrong_code_is_rejected(self):
        email = f"{uuid.uuid4().hex}@example.org"
        client = create_client(self.server.url, KEY)
        client.auth.sign_in_with_otp({"email": email})
        code = self.server.line(f"code for {email}: ")
        wrong = f"{(int(code) + 1) % 1_000_000:06}"
        with self.assertRaises(AuthApiError) as rejected:
            client.auth.verify_otp({"email": email, "token": wrong, "type": "email"})
        self.assertEqual("otp_expired", rejected.exception.code)


class Live(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.server = Server()

    def tearDown(self):
        self.assertEqual(0, self.server.stop())

    async def sign_in(self, email):
        client = await acreate_client(self.server.url, KEY)
        await client.auth.sign_in_with_otp({"email": email})
        code = self.server.line(f"code for {email}: ")
        session = await client.auth.verify_otp({"email": email, "token": code, "type": "email"})
        return client, session.user.id

    async def test_inserted_rows_are_reported(self):
        listener, user = await self.sign_in("me@example.org")
        writer, _ = await self.sign_in("me@example.org")
        other, stranger = await self.sign_in("other@example.org")
        heard, live = asyncio.Queue(), asyncio.Event()

        def on_system(payload):
            if payload.status == "ok" and payload.extension == "postgres_changes":
                live.set()

        await listener.realtime.set_auth((await listener.auth.get_session()).access_token)
        channel = listener.channel("events-realtime")
        channel.on_postgres_changes(
            "INSERT", heard.put_nowait, table="events", schema="public", filter=f"user_id=eq.{user}")
        channel.on_system(on_system)
        await channel.subscribe()
        await asyncio.wait_for(live.wait(), 20)
        await other.table("events").insert(row(stranger, "theirs")).execute()
        stored = (await writer.table("events").insert([row(user, "a"), row(user, "b")]).execute()).data
        for expected in stored:
            change = (await asyncio.wait_for(heard.get(), 20))["data"]
            self.assertEqual(expected, change["record"])
            self.assertEqual("INSERT", change["type"])

        # A newer token for the same connection is confirmed, and the connection continues.
        live.clear()
        renewed = await listener.auth.refresh_session()
        await listener.realtime.set_auth(renewed.session.access_token)
        await asyncio.wait_for(live.wait(), 20)
        await writer.table("events").insert(row(user, "c")).execute()
        change = (await asyncio.wait_for(heard.get(), 20))["data"]
        self.assertEqual("c", change["record"]["client_id"])
        self.assertTrue(heard.empty(), "nothing of others")
        await channel.unsubscribe()
        await listener.realtime.close()


if __name__ == "__main__":
    # The client leaves sockets open, which these tests don't check.
    unittest.main(warnings="ignore")
