"""The migrations on projects that already have a table public.events."""

import unittest

from cluster import ANNA, BEN, MIGRATIONS, DatabaseTest
from test_migrations import DESCRIBE

# The table that the first version of these migrations created.
FIRST = """
    create table public.events (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references auth.users (id) on delete cascade,
      type text not null, payload jsonb not null, client_id text, client_timestamp text,
      created_at timestamptz not null default now());
    create unique index events_client_id_key on public.events (client_id);
    create index events_user_created on public.events (user_id, created_at, id);
    alter table public.events enable row level security;
    create policy "Everyone sees and writes their own events" on public.events for all to authenticated
      using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
    revoke all on public.events from anon, authenticated;
    grant select, insert, delete on public.events to authenticated;
    alter publication supabase_realtime add table public.events;"""
# The tables of the web and iOS versions: the first form, then the second.
UUIDS = """
    create table public.events (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references auth.users (id),
      type varchar(50) not null, payload jsonb not null, client_id uuid not null,
      client_timestamp timestamptz not null default now(), created_at timestamptz default now(),
      unique (user_id, client_id));
    alter table public.events enable row level security;
    create policy "Users can only access their own events" on events for all
      using (auth.uid() = user_id and client_id is not null) with check (auth.uid() = user_id);"""
TEXTS = """
    create table public.events (
      id uuid default gen_random_uuid() primary key,
      user_id uuid references auth.users (id) on delete set null,
      type text not null, payload jsonb not null, client_id text unique, client_timestamp text not null,
      created_at timestamptz default now());
    alter table public.events enable row level security;
    create policy "open to all" on public.events for select using (true);"""
UUID = "7b0c3ad1-94a6-4b5e-8f0e-0123456789a"


class Upgrading(DatabaseTest):
    def expected(self):
        """Returns the description of the table in a new project."""
        fresh = self.cluster.project()
        fresh.migrate()
        return fresh.run(DESCRIBE)

    def test_every_known_form_becomes_the_current_one_and_keeps_its_rows(self):
        expected = self.expected()
        for table in (FIRST, UUIDS, TEXTS):
            with self.subTest(table):
                self.setUp()
                self.owner(table)
                for user, end in [(ANNA, "1"), (ANNA, "2"), (BEN, "3")]:
                    self.owner(self.insert(user, UUID + end))
                rows = "select id, user_id, type, payload, client_id, created_at from events order by id"
                before = self.owner(rows)
                self.migrate()
                self.assertEqual(self.owner(DESCRIBE), expected)
                self.assertEqual(self.owner(rows), before)
                self.assertEqual(self.owner("select distinct client_timestamp from events"), [["2026-02-09T14:32:07.123Z"]])
                self.assertEqual(self.as_user(BEN, "select client_id from events"), [[UUID + "3"]])
                # The accounts share no client_ids any more.
                self.as_user(BEN, self.insert(BEN, UUID + "1"))
                self.rejected("23505", lambda: self.as_user(BEN, self.insert(BEN, UUID + "1")))
                self.migrate()
                self.assertEqual(self.database.notices, [])
                self.assertEqual(self.owner(DESCRIBE), expected)

    def test_converted_times_have_the_form_of_the_clients(self):
        self.owner(UUIDS)
        times = {
            "2026-02-09 15:32:07.12+01": "2026-02-09T14:32:07.120Z", "2026-02-09 14:32:07Z": "2026-02-09T14:32:07.000Z",
            "2026-02-09 14:32:07.123456Z": "2026-02-09T14:32:07.123456Z", "1969-12-31 23:59:59.999Z": "1969-12-31T23:59:59.999Z",
            "0001-01-01 00:00Z": "0001-01-01T00:00:00.000Z", "9999-12-31 23:59:59.999Z": "9999-12-31T23:59:59.999Z",
            "0044-03-15 12:00Z BC": "0044-03-15 12:00:00+00 BC", "infinity": "infinity"}
        self.owner("alter database " + self.database.name + " set timezone = 'Asia/Kolkata'")
        for time in times:
            self.owner(f"""insert into events (user_id, type, payload, client_id, client_timestamp)
                values ('{ANNA}', '{time}', '{{}}', gen_random_uuid(), '{time}')""")
        self.migrate()
        self.assertIn("Converted public.events.client_timestamp from timestamp with time zone to text.", self.database.notices)
        self.assertIn("Converted public.events.client_id from uuid to text.", self.database.notices)
        self.assertEqual(dict(self.owner("select type, client_timestamp from events")), times)

    def test_a_deferrable_or_partial_constraint_on_client_ids_is_replaced(self):
        for index, name in (
            ("alter table events add constraint once unique (client_id) deferrable", "once"),
            ("create unique index once on events (client_id) where client_id is not null", "once"),
            ("create unique index \"On ce\" on events (client_id) include (type)", '"On ce"'),
        ):
            with self.subTest(index):
                self.setUp()
                self.migrate()
                expected = self.owner(DESCRIBE)
                self.owner("alter table events drop constraint events_user_id_client_id_key; " + index)
                self.migrate()
                self.assertEqual(
                    self.database.notices[0], f"Dropped {name}: client_ids were unique across all accounts.")
                self.assertEqual(self.owner(DESCRIBE), expected)

    def test_missing_values_are_reported_and_kept(self):
        self.owner(TEXTS)
        self.owner("""alter table events alter column payload drop not null;
            insert into events (type, client_timestamp, created_at) values ('a', 't', null), ('b', 't', null)""")
        self.migrate()
        self.assertEqual(self.database.notices[-4:-1], [
            "Set created_at of 2 rows that had none.", "2 rows have no user_id. They stay as they are.",
            "2 rows have no payload. They stay as they are."])
        self.assertEqual(self.owner("select type from events order by type"), [["a"], ["b"]])

    def test_rows_of_deleted_accounts_stay_and_the_next_application_validates(self):
        self.owner(FIRST + "alter table events drop constraint events_user_id_fkey")
        gone = ANNA[:-1] + "f"
        self.owner(self.insert(gone, "g1"))
        self.migrate()
        self.assertIn("1 rows belong to accounts that no longer exist. They stay, and no one can read them.",
                      self.database.notices)
        self.assertEqual(self.rows(), [[gone, "g1"]])
        self.rejected("23503", lambda: self.owner(self.insert(gone, "g2")))
        self.owner(f"insert into auth.users (id) values ('{gone}')")
        self.migrate()
        self.assertEqual(self.owner("select convalidated from pg_constraint where contype = 'f'"), [["t"]])


class Policies(DatabaseTest):
    def test_each_dropped_policy_is_named_with_its_rule(self):
        self.migrate()
        self.owner("""create policy "open ""to"" all" on events for select using (true);
            create policy "mine" on events for insert to authenticated with check (user_id = auth.uid())""")
        self.migrate()
        self.assertEqual(sorted(self.database.notices), [
            'Dropped the policy "mine" (for insert to authenticated, using nothing, with check (user_id = auth.uid())).',
            'Dropped the policy "open "to" all" (for select to public, using true, with check nothing).'])
        self.assertEqual(self.owner("select policyname from pg_policies"), [["Everyone sees and writes their own events"]])

    def test_restrictive_policies_stay(self):
        self.owner(FIRST)
        self.owner("create policy narrow on events as restrictive to authenticated using (type <> 'secret')")
        self.owner(self.insert(ANNA, "a1") + ";" + self.insert(ANNA, "a2") + ";update events set type = 'secret' "
                   "where client_id = 'a2'")
        self.migrate()
        self.assertNotIn("narrow", " ".join(self.database.notices))
        self.assertEqual(self.as_user(ANNA, "select client_id from events"), [["a1"]])
        self.rejected("42501", lambda: self.as_user(ANNA, self.insert(ANNA, "a3").replace("sun_shone", "secret")))


class Rejecting(DatabaseTest):
    """A table of an unknown form stays unchanged, and the message says why and what to do."""

    EVERYTHING = """
        select 'column', column_name, data_type, is_nullable || coalesce(column_default, '')
          from information_schema.columns where table_schema = 'public'
        union all select 'index', indexname, indexdef, '' from pg_indexes where schemaname = 'public'
        union all select 'constraint', conname, pg_get_constraintdef(oid), '' from pg_constraint
          where connamespace = 'public'::regnamespace
        union all select 'policy', policyname, cmd, qual from pg_policies where schemaname = 'public'
        union all select 'grant', grantee, privilege_type, table_name from information_schema.role_table_grants
          where table_schema = 'public'
        union all select 'publication', pubname, tablename, '' from pg_publication_tables
        union all select 'secured', relname, relrowsecurity::text, '' from pg_class where relname = 'events'
        order by 1, 2, 3, 4"""

    def rejects(self, code, *phrases):
        before, rows = self.owner(self.EVERYTHING), self.owner("select * from events order by 1")
        self.rejected(code, self.migrate, *phrases, "Nothing was changed", "HINT:")
        self.assertEqual(self.owner(self.EVERYTHING), before)
        # A client that continues after an error changes nothing either: the transaction is rolled back.
        scripts = "".join(path.read_text(encoding="utf-8") for path in MIGRATIONS)
        self.owner(f"\\set ON_ERROR_STOP off\n{scripts}\n\\set ON_ERROR_STOP on\n")
        self.assertEqual(self.owner(self.EVERYTHING), before)
        self.assertEqual(self.owner("select * from events order by 1"), rows)

    def test_a_table_for_something_else(self):
        self.owner("create table public.events (id bigint primary key, title text, starts timestamptz)")
        self.owner("insert into events values (1, 'Concert', now())")
        self.rejects("42703", "id uuid, user_id uuid, type text, payload jsonb, client_id text",
                     "created_at timestamp with time zone")

    def test_a_view(self):
        self.owner("create view public.events as select gen_random_uuid() as id where false")
        self.rejects("42809", "not an ordinary table")

    def test_a_missing_column(self):
        self.migrate()
        self.owner("alter table events drop column client_timestamp")
        self.owner(f"insert into events (user_id, type, payload) values ('{ANNA}', 'sun_shone', '{{}}')")
        self.rejects("42703", "the columns client_timestamp text.")

    def test_a_required_column_that_clients_do_not_fill(self):
        self.owner(FIRST + "alter table events add column device text not null, add column seen int not null default 0")
        self.rejects("23502", "columns that Trunk doesn't know: device.")

    def test_a_missing_primary_key(self):
        self.owner(FIRST + "alter table events drop constraint events_pkey")
        self.owner(self.insert(ANNA, "a1"))
        self.rejects("42P16", "must be (id), but there is none", 'Run "alter table public.events add primary key (id)"')
        self.owner("alter table public.events add primary key (id)")
        self.migrate()
        self.assertEqual(self.rows(), [[ANNA, "a1"]])

    def test_another_primary_key(self):
        self.owner(FIRST + "alter table events drop constraint events_pkey, add constraint two primary key (user_id, client_id)")
        self.rejects("42P16", "must be (id), but it is (user_id, client_id)", "First drop the constraint two.")

    def test_a_view_on_a_column_that_must_be_converted(self):
        self.owner(UUIDS + "create view public.times as select client_timestamp from events")
        self.rejects("2BP01", "client_timestamp can't be converted to text", "view times", "Drop what depends on the column")

    def as_other(self):
        """Applies the migrations as a role without special rights."""
        for path in MIGRATIONS:
            self.owner("set role other;\n" + path.read_text(encoding="utf-8"))

    def make_other(self):
        self.owner("""do $$ begin create role other; exception when duplicate_object then null; end $$;
            grant usage, create on schema public to other; grant usage on schema auth to other;
            grant select, references on auth.users to other""")

    def test_a_table_of_another_role(self):
        self.make_other()
        self.migrate()
        self.rejected("42501", self.as_other, "public.events belongs to the role postgres, and this is the role other.",
                      "Nothing was changed.", 'alter table public.events owner to other')

    def test_a_publication_of_another_role(self):
        self.make_other()
        self.owner("drop publication if exists supabase_realtime; create publication supabase_realtime")
        self.rejected("42501", self.as_other, "The publication supabase_realtime belongs to the role postgres",
                      'alter publication supabase_realtime owner to other')
        self.assertEqual(self.owner("select count(*) from pg_publication_tables"), [["0"]])

    def test_a_publication_that_may_not_be_created(self):
        self.make_other()
        self.owner("drop publication if exists supabase_realtime")
        self.rejected("42501", self.as_other, "There is no publication supabase_realtime", "grant create on database")

    def test_events_that_one_account_stored_twice(self):
        self.owner(FIRST + "drop index events_client_id_key")
        for user, name in [(ANNA, "a1"), (ANNA, "a1"), (BEN, "a1"), (ANNA, "a2"), (BEN, "b1"), (BEN, "b1"), (BEN, "b1")]:
            self.owner(self.insert(user, name))
        self.rejects("23505", "2 client_ids are in several rows of the same account", "Within one account")
        # Another account's row with the same client_id is no reason to reject the table, nor are rows without one.
        self.owner("update events set client_id = null where client_id = 'b1'")
        self.owner(f"""update events set client_id = 'a3' where ctid = (
            select max(ctid) from events where user_id = '{ANNA}' and client_id = 'a1')""")
        self.migrate()
        self.assertEqual(self.owner("select count(*) from events"), [["7"]])


if __name__ == "__main__":
    unittest.main(verbosity=1)
