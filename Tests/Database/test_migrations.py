"""The migrations on a real PostgreSQL: what each role may do, and that they can be applied twice."""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
MIGRATIONS = sorted(glob.glob(os.path.join(HERE, "../../supabase/migrations/*.sql")))
ANNA, BEN = ("00000000-0000-4000-8000-00000000000" + end for end in "ab")


class Refused(Exception):
    """A statement failed; `code` is PostgreSQL's five characters."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Cluster:
    """A PostgreSQL of its own, in a temporary folder, on a socket there."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="trunk-pg-")
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.programs, self.data = programs, os.path.join(self.folder, "data")
        self.prefix = []
        if os.getuid() == 0:  # the server refuses to run as root
            shutil.chown(self.folder, "postgres", "postgres")
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        # As long as "pg_ctl" waits, the server is up when it returns.
        options = f"-c listen_addresses= -k {self.folder} -c fsync=off -c wal_level=logical"
        self.run("pg_ctl", "-D", self.data, "-l", os.path.join(self.folder, "log"), "-w", "-o", options, "start")

    def run(self, program, *arguments):
        command = [*self.prefix, os.path.join(self.programs, program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder)

    def sql(self, script, database="postgres"):
        """Runs a script as the owner; the last statement's rows as lists of texts."""
        command = [os.path.join(self.programs, "psql"), "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1",
                   "-v", "VERBOSITY=verbose", "-h", self.folder, "-U", "postgres", "-d", database]
        done = subprocess.run(command, input=script, capture_output=True, text=True)
        if done.returncode != 0:
            words = done.stderr.split("ERROR:", 1)[-1].split(":", 1)
            raise Refused(words[0].strip(), done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]


class MigrationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.count = 0

    def setUp(self):
        type(self).count += 1
        self.database = f"trunk{self.count}"
        self.cluster.sql(f"create database {self.database}")
        # Roles belong to the whole cluster.
        with open(os.path.join(HERE, "stand_in.sql"), encoding="utf-8") as file:
            script = file.read()
        if self.count > 1:
            script = "\n".join(line for line in script.splitlines() if not line.startswith("create role"))
        self.owner(script)

    def owner(self, script):
        return self.cluster.sql(script, self.database)

    def migrate(self):
        for path in MIGRATIONS:
            with open(path, encoding="utf-8") as file:
                self.owner(file.read())

    def as_user(self, user, script, role="authenticated"):
        """As the API does it: the role of the token, and the token's claims, in one transaction."""
        claims = json.dumps({"sub": user, "role": role})
        return self.owner(f"begin; set local role {role}; set local request.jwt.claims = '{claims}';\n{script};\ncommit")

    @staticmethod
    def insert(user, client_id):
        return (f"insert into events (user_id, type, payload, client_id, client_timestamp) values "
                f"('{user}', 'sun_shone', '{{}}', '{client_id}', '2026-02-09T14:32:07.123Z')")

    def rows(self):
        return self.owner("select user_id, client_id from events order by client_id")


class Applying(MigrationTest):
    def test_applied_twice_it_is_the_same(self):
        describe = """
            select 'column', column_name, data_type, is_nullable, column_default from information_schema.columns
              where table_schema = 'public' and table_name = 'events'
            union all select 'index', indexname, indexdef, '', '' from pg_indexes where tablename = 'events'
            union all select 'policy', policyname, cmd, qual, with_check from pg_policies where tablename = 'events'
            union all select 'grant', grantee, privilege_type, '', '' from information_schema.role_table_grants
              where table_name = 'events'
            union all select 'publication', pubname, '', '', '' from pg_publication_tables where tablename = 'events'
            order by 1, 2, 3"""
        self.migrate()
        once = self.owner(describe)
        self.as_user(ANNA, self.insert(ANNA, "a1"))
        self.migrate()
        self.assertEqual(self.owner(describe), once)
        self.assertEqual(self.rows(), [[ANNA, "a1"]])
        self.assertIn(["publication", "supabase_realtime", "", "", ""], once)

    def test_over_an_older_table_it_keeps_the_rows_and_closes_what_was_open(self):
        self.owner("""
            create table public.events (
              id uuid default gen_random_uuid() primary key,
              user_id uuid references auth.users (id) on delete cascade not null,
              type text not null, payload jsonb not null, client_id text unique, client_timestamp text not null,
              created_at timestamptz default now());
            alter table public.events enable row level security;
            create policy "open to all" on public.events for select using (true)""")
        self.owner(self.insert(ANNA, "a1"))
        self.migrate()
        self.assertEqual(self.rows(), [[ANNA, "a1"]])
        self.assertEqual(self.as_user(BEN, "select client_id from events"), [])
        with self.assertRaises(Refused) as refused:
            self.as_user(ANNA, self.insert(ANNA, "a1"))
        self.assertEqual(refused.exception.code, "23505")


class OverAnotherTable(MigrationTest):
    """What is there and does not fit stays as it was, and the message says why."""

    EVERYTHING = """
        select 'column', column_name, data_type, is_nullable from information_schema.columns
          where table_schema = 'public'
        union all select 'index', indexname, indexdef, '' from pg_indexes where schemaname = 'public'
        union all select 'policy', policyname, cmd, qual from pg_policies where schemaname = 'public'
        union all select 'grant', grantee, privilege_type, table_name from information_schema.role_table_grants
          where table_schema = 'public'
        union all select 'publication', pubname, tablename, '' from pg_publication_tables
        union all select 'secured', relname, relrowsecurity::text, '' from pg_class where relname = 'events'
        order by 1, 2, 3"""

    def refuses(self, code, *words):
        before, rows = self.owner(self.EVERYTHING), self.owner("select * from events order by 1")
        # Also by whoever goes on after an error: the transaction takes everything back.
        for stops in ("on", "off"):
            with open(MIGRATIONS[0], encoding="utf-8") as file:
                script = f"\\set ON_ERROR_STOP {stops}\n" + file.read() + "\n\\set ON_ERROR_STOP on\n"
            if stops == "on":
                with self.assertRaises(Refused) as refused:
                    self.owner(script)
                self.assertEqual(refused.exception.code, code)
                for word in (*words, "Nothing was changed"):
                    self.assertIn(word, str(refused.exception))
            else:
                self.owner(script)
            self.assertEqual(self.owner(self.EVERYTHING), before)
            self.assertEqual(self.owner("select * from events order by 1"), rows)

    def test_a_table_of_something_else(self):
        self.owner("create table public.events (id bigint primary key, title text, starts timestamptz)")
        self.owner("insert into events values (1, 'Concert', now())")
        self.refuses("42703", "id uuid, user_id uuid, type text, payload jsonb, client_id text",
                     "created_at timestamp with time zone")

    def test_a_table_that_lacks_one_column(self):
        self.migrate()
        self.owner("alter table events drop column client_timestamp")
        self.owner(f"insert into events (user_id, type, payload) values ('{ANNA}', 'sun_shone', '{{}}')")
        self.refuses("42703", "the columns client_timestamp text.")

    def test_events_that_are_there_twice(self):
        self.owner("""
            create table public.events (
              id uuid default gen_random_uuid() primary key, user_id uuid not null, type text not null,
              payload jsonb not null, client_id text, client_timestamp text, created_at timestamptz default now())""")
        for user, name in [(ANNA, "a1"), (ANNA, "a1"), (BEN, "a1"), (ANNA, "a2"), (BEN, "b1"), (BEN, "b1")]:
            self.owner(self.insert(user, name))
        self.refuses("23505", "2 client_ids")
        # Old events have no name, and may be many.
        self.owner("update events set client_id = null where client_id in ('a1', 'b1')")
        self.migrate()
        self.assertEqual(self.owner("select count(*) from events"), [["6"]])


class Isolation(MigrationTest):
    def setUp(self):
        super().setUp()
        self.migrate()
        for user, name in [(ANNA, "a"), (BEN, "b")]:
            self.as_user(user, self.insert(user, name + "1"))
        self.both = [[ANNA, "a1"], [BEN, "b1"]]

    def test_everyone_reads_their_own_rows_only(self):
        self.assertEqual(self.as_user(ANNA, "select client_id from events"), [["a1"]])
        self.assertEqual(self.as_user(BEN, "select client_id from events"), [["b1"]])
        self.assertEqual(self.as_user(ANNA, f"select count(*) from events where user_id = '{BEN}'"), [["0"]])

    def test_nobody_inserts_in_the_name_of_another(self):
        for user, other in [(ANNA, BEN), (BEN, ANNA)]:
            with self.assertRaises(Refused) as refused:
                self.as_user(user, self.insert(other, "forged"))
            self.assertEqual(refused.exception.code, "42501")
        self.assertEqual(self.rows(), self.both)

    def test_nobody_updates_a_row_not_even_their_own(self):
        for user in (ANNA, BEN):
            for owner in (ANNA, BEN):
                with self.assertRaises(Refused) as refused:
                    self.as_user(user, f"update events set type = 'changed' where user_id = '{owner}'")
                self.assertEqual(refused.exception.code, "42501")
        self.assertEqual(self.owner("select distinct type from events"), [["sun_shone"]])

    def test_everyone_deletes_their_own_rows_only(self):
        for user, other in [(ANNA, BEN), (BEN, ANNA)]:
            self.as_user(user, f"delete from events where user_id = '{other}'")
            self.as_user(user, "delete from events where client_id = 'none of theirs'")
        self.assertEqual(self.rows(), self.both)
        self.as_user(ANNA, f"delete from events where user_id = '{ANNA}'")
        self.assertEqual(self.rows(), [[BEN, "b1"]])

    def test_without_a_user_there_is_nothing(self):
        for script in ["select * from events", self.insert(ANNA, "x"), "delete from events",
                       "update events set type = ''", "truncate events"]:
            with self.assertRaises(Refused) as refused:
                self.as_user("", script, role="anon")
            self.assertEqual(refused.exception.code, "42501")
        self.assertEqual(self.rows(), self.both)

    def test_a_user_who_leaves_takes_their_rows_along(self):
        self.owner(f"delete from auth.users where id = '{ANNA}'")
        self.assertEqual(self.rows(), [[BEN, "b1"]])


class Protocol(MigrationTest):
    def setUp(self):
        super().setUp()
        self.migrate()

    def test_the_same_event_twice_is_one_row(self):
        self.as_user(ANNA, self.insert(ANNA, "a1"))
        with self.assertRaises(Refused) as refused:
            self.as_user(ANNA, self.insert(ANNA, "a1"))
        self.assertEqual(refused.exception.code, "23505")
        self.assertIn("events_client_id_key", str(refused.exception))
        skipping = " on conflict (client_id) do nothing returning client_id"
        self.assertEqual(self.as_user(ANNA, self.insert(ANNA, "a1") + skipping), [])
        self.assertEqual(self.as_user(ANNA, self.insert(ANNA, "a2") + skipping), [["a2"]])
        # Another user's event of the same name is neither shown nor touched.
        self.assertEqual(self.as_user(BEN, self.insert(BEN, "a1") + skipping), [])
        self.assertEqual(self.rows(), [[ANNA, "a1"], [ANNA, "a2"]])

    def test_a_page_is_read_by_the_index_in_its_order(self):
        self.as_user(ANNA, f"""insert into events (user_id, type, payload, client_id)
            select '{ANNA}', 'sun_shone', '{{}}', 'a' || n from generate_series(1, 5000) n""")
        self.owner("analyze events")
        page = """select id, created_at from events
            where created_at >= '2026-01-01' and (created_at > '2026-01-01' or id > gen_random_uuid())
            order by created_at, id limit 1000"""
        plan = " ".join(line[0] for line in self.as_user(ANNA, "explain " + page))
        self.assertIn("events_user_created", plan)
        self.assertNotIn("Sort", plan)
        # All rows of one insert share their instant: the id has to decide.
        self.assertEqual(self.as_user(ANNA, "select count(distinct created_at) from events"), [["1"]])


if __name__ == "__main__":
    unittest.main(verbosity=1)
