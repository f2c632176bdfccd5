"""The migrations on a new project: the rights of each role, and the properties that the sync protocol relies on."""

import unittest

from cluster import ANNA, BEN, ROOT, DatabaseTest

CHECK = ROOT / "supabase/check.sql"
DESCRIBE = """
    select 'column', column_name, data_type, is_nullable, column_default from information_schema.columns
      where table_schema = 'public' and table_name = 'events'
    union all select 'index', regexp_replace(indexdef, ' INDEX \\S+', ''), '', '', '' from pg_indexes
      where tablename = 'events'
    union all select 'constraint', pg_get_constraintdef(oid), '', '', '' from pg_constraint
      where conrelid = 'public.events'::regclass
    union all select 'policy', policyname, cmd, qual, with_check from pg_policies where tablename = 'events'
    union all select 'grant', grantee, privilege_type, '', '' from information_schema.role_table_grants
      where table_name = 'events'
    union all select 'publication', pubname, '', '', '' from pg_publication_tables where tablename = 'events'
    union all select 'secured', relrowsecurity::text, '', '', '' from pg_class where oid = 'public.events'::regclass
    order by 1, 2, 3"""


class Applying(DatabaseTest):
    def test_applying_twice_changes_nothing(self):
        self.migrate()
        self.assertEqual(self.database.notices, [])
        once = self.owner(DESCRIBE)
        self.as_user(ANNA, self.insert(ANNA, "a1"))
        self.migrate()
        self.assertEqual(self.database.notices, [])
        self.assertEqual(self.owner(DESCRIBE), once)
        self.assertEqual(self.rows(), [[ANNA, "a1"]])
        self.assertIn(["publication", "supabase_realtime", "", "", ""], once)
        self.assertIn(["constraint", "UNIQUE (user_id, client_id)", "", "", ""], once)


class Checking(DatabaseTest):
    """supabase/check.sql."""

    def wrong(self):
        """The names of the checks that fail."""
        return [name for name, is_right in self.owner(CHECK.read_text(encoding="utf-8")) if is_right != "t"]

    def test_a_new_project_lacks_everything(self):
        self.assertIn("The table of events exists.", self.wrong())

    def test_everything_is_right_after_the_migrations(self):
        self.migrate()
        self.assertEqual(self.wrong(), [])

    def test_each_fault_is_named(self):
        for statement, name in [
            ("alter table events drop constraint events_user_id_client_id_key", "An account stores each event once."),
            ("drop index events_user_id_created_at_id_idx", "Pages are read by an index."),
            ("alter table events alter created_at set default now()", "Rows of one request have different times."),
            ("alter table events drop constraint events_user_id_fkey", "Deleting an account deletes its events."),
            ("alter table events disable row level security", "Row-level security is on."),
            ("create policy everything on events using (true)", "One policy admits rows, those of the account."),
            ("revoke delete on events from authenticated", "Signed-in users read, add and delete rows."),
            ("grant update on events to authenticated", "No user changes a row."),
            ("grant select on events to anon", "Strangers have no access."),
            ("alter publication supabase_realtime drop table events", "New rows are reported to other devices."),
        ]:
            with self.subTest(name):
                self.migrate()
                self.assertEqual(self.wrong(), [])
                self.owner(statement)
                self.assertEqual(self.wrong(), [name])
                self.owner("drop table events")


class Isolation(DatabaseTest):
    def setUp(self):
        super().setUp()
        self.migrate()
        for user, name in [(ANNA, "a"), (BEN, "b")]:
            self.as_user(user, self.insert(user, name + "1"))
        self.both = [[ANNA, "a1"], [BEN, "b1"]]

    def test_accounts_read_only_their_own_rows(self):
        self.assertEqual(self.as_user(ANNA, "select client_id from events"), [["a1"]])
        self.assertEqual(self.as_user(BEN, "select client_id from events"), [["b1"]])
        self.assertEqual(self.as_user(ANNA, f"select count(*) from events where user_id = '{BEN}'"), [["0"]])

    def test_accounts_cannot_insert_as_another_account(self):
        for user, other in [(ANNA, BEN), (BEN, ANNA)]:
            self.rejected("42501", lambda: self.as_user(user, self.insert(other, "forged")))
        self.assertEqual(self.rows(), self.both)

    def test_accounts_cannot_update_any_row(self):
        for user in (ANNA, BEN):
            for owner in (ANNA, BEN):
                self.rejected("42501", lambda: self.as_user(
                    user, f"update events set type = 'changed' where user_id = '{owner}'"))
        self.assertEqual(self.owner("select distinct type from events"), [["sun_shone"]])

    def test_accounts_delete_only_their_own_rows(self):
        for user, other in [(ANNA, BEN), (BEN, ANNA)]:
            self.as_user(user, f"delete from events where user_id = '{other}'")
            self.as_user(user, "delete from events where client_id = 'unknown'")
        self.assertEqual(self.rows(), self.both)
        self.as_user(ANNA, f"delete from events where user_id = '{ANNA}'")
        self.assertEqual(self.rows(), [[BEN, "b1"]])

    def test_anonymous_requests_are_rejected(self):
        for script in ["select * from events", self.insert(ANNA, "x"), "delete from events",
                       "update events set type = ''", "truncate events"]:
            self.rejected("42501", lambda: self.as_user("", script, role="anon"))
        self.assertEqual(self.rows(), self.both)

    def test_deleting_an_account_deletes_its_rows(self):
        self.owner(f"delete from auth.users where id = '{ANNA}'")
        self.assertEqual(self.rows(), [[BEN, "b1"]])


class Protocol(DatabaseTest):
    def setUp(self):
        super().setUp()
        self.migrate()

    def test_the_same_event_of_an_account_is_one_row(self):
        self.as_user(ANNA, self.insert(ANNA, "a1"))
        self.rejected("23505", lambda: self.as_user(ANNA, self.insert(ANNA, "a1")), "events_user_id_client_id_key")
        skipping = " on conflict (user_id, client_id) do nothing returning client_id"
        self.assertEqual(self.as_user(ANNA, self.insert(ANNA, "a1") + skipping), [])
        self.assertEqual(self.as_user(ANNA, self.insert(ANNA, "a2") + skipping), [["a2"]])
        self.assertEqual(self.rows(), [[ANNA, "a1"], [ANNA, "a2"]])
        # The form for a constraint on client_id alone fails, so that clients try the other form.
        self.rejected("42P10", lambda: self.as_user(
            ANNA, self.insert(ANNA, "a3") + " on conflict (client_id) do nothing"))

    def test_two_accounts_may_store_the_same_client_id(self):
        skipping = " on conflict (user_id, client_id) do nothing returning client_id"
        self.as_user(ANNA, self.insert(ANNA, "a1"))
        self.assertEqual(self.as_user(BEN, self.insert(BEN, "a1") + skipping), [["a1"]])
        self.as_user(BEN, self.insert(BEN, "a2"))
        self.as_user(ANNA, self.insert(ANNA, "a2"))
        self.assertEqual(self.rows(), [[ANNA, "a1"], [BEN, "a1"], [ANNA, "a2"], [BEN, "a2"]])
        self.assertEqual(self.as_user(BEN, "select count(*) from events"), [["2"]])

    def test_rows_of_one_insert_have_different_times(self):
        self.as_user(ANNA, f"""insert into events (user_id, type, payload, client_id)
            select '{ANNA}', 'sun_shone', '{{}}', 'a' || n from generate_series(1, 5000) n""")
        self.assertEqual(self.as_user(ANNA, "select count(distinct created_at) from events"), [["5000"]])

    def test_a_page_is_read_in_index_order(self):
        self.as_user(ANNA, f"""insert into events (user_id, type, payload, client_id)
            select '{ANNA}', 'sun_shone', '{{}}', 'a' || n from generate_series(1, 5000) n""")
        self.owner("analyze events")
        page = """select id, created_at from events
            where created_at >= '2026-01-01' and (created_at > '2026-01-01' or id > gen_random_uuid())
            order by created_at, id limit 1000"""
        plan = " ".join(line[0] for line in self.as_user(ANNA, "explain " + page))
        self.assertIn("events_user_id_created_at_id_idx", plan)
        self.assertNotIn("Sort", plan)


if __name__ == "__main__":
    unittest.main(verbosity=1)
