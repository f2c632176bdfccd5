"""A PostgreSQL server for tests, and databases in it that look like a new Supabase project."""

import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The folder of the built programs.
BUILT = pathlib.Path(os.environ.get("BUILD_DIR", ROOT / ".build"), os.environ.get("CONFIG", "debug"))
MIGRATIONS = sorted((ROOT / "supabase/migrations").glob("*.sql"))
ANNA, BEN = ("00000000-0000-4000-8000-00000000000" + end for end in "ab")


class Rejected(Exception):
    """A statement failed; `code` is PostgreSQL's SQLSTATE."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class Cluster:
    """A PostgreSQL server in a temporary folder, reachable through a socket there."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="trunk-pg-")
        self.programs = max(glob.glob("/usr/lib/postgresql/*/bin"))
        self.data = os.path.join(self.folder, "data")
        self.prefix = []
        self.count = 0
        if os.getuid() == 0:  # the server doesn't run as root
            shutil.chown(self.folder, "postgres", "postgres")
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses= -k {self.folder} -c fsync=off -c wal_level=logical"
        self._run("pg_ctl", "-D", self.data, "-l", os.path.join(self.folder, "log"), "-w", "-o", options, "start")

    def _run(self, program, *arguments):
        command = [*self.prefix, os.path.join(self.programs, program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def stop(self):
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder)

    def project(self):
        """Creates a database that looks like a new Supabase project."""
        self.count += 1
        database = Database(self, f"trunk{self.count}")
        Database(self, "postgres").run(f"create database {database.name}")
        script = (HERE / "stand_in.sql").read_text(encoding="utf-8")
        if self.count > 1:  # roles belong to the whole cluster
            script = "\n".join(line for line in script.splitlines() if not line.startswith("create role"))
        database.run(script)
        return database


class Database:
    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.notices = []

    @property
    def uri(self):
        return f"postgresql://postgres@/{self.name}?host={self.cluster.folder}"

    def run(self, script):
        """Runs a script as the owner. Returns the last statement's rows as lists of texts; `notices` has its notices."""
        command = [os.path.join(self.cluster.programs, "psql"), "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1",
                   "-v", "VERBOSITY=verbose", self.uri]
        done = subprocess.run(command, input=script, capture_output=True, text=True)
        if done.returncode != 0:
            parts = done.stderr.split("ERROR:", 1)[-1].split(":", 1)
            raise Rejected(parts[0].strip(), done.stderr)
        self.notices = re.findall(r"NOTICE:  \w{5}: (.*)", done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def migrate(self):
        """Applies all migrations; `notices` has the notices of the last one."""
        for path in MIGRATIONS:
            self.run(path.read_text(encoding="utf-8"))

    def run_as(self, user, script, role="authenticated"):
        """Runs a script as the API does: with the token's role and claims, in one transaction."""
        claims = json.dumps({"sub": user, "role": role})
        return self.run(f"begin; set local role {role}; set local request.jwt.claims = '{claims}';\n{script};\ncommit")


class DatabaseTest(unittest.TestCase):
    """Tests with a new project each, in `self.database`."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)

    def setUp(self):
        self.database = self.cluster.project()
        self.owner, self.migrate, self.as_user = self.database.run, self.database.migrate, self.database.run_as

    @staticmethod
    def insert(user, client_id):
        return (f"insert into events (user_id, type, payload, client_id, client_timestamp) values "
                f"('{user}', 'sun_shone', '{{}}', '{client_id}', '2026-02-09T14:32:07.123Z')")

    def rows(self):
        return self.owner("select user_id, client_id from events order by client_id, user_id")

    def rejected(self, code, action, *phrases):
        """Runs an action that must fail with this code and message."""
        with self.assertRaises(Rejected) as rejected:
            action()
        self.assertEqual(rejected.exception.code, code, rejected.exception)
        for phrase in phrases:
            self.assertIn(phrase, str(rejected.exception))
