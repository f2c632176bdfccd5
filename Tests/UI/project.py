"""A Supabase project: a real PostgreSQL behind a service that behaves like PostgREST, and a trunk-server for signing
in."""

import sys

from program import ROOT
from server import KEY, Server

sys.path.append(str(ROOT / "Tests/Database"))
from cluster import Cluster  # noqa: E402
from table_service import TableService  # noqa: E402
from test_existing_tables import FIRST  # noqa: E402

__all__ = ["Cluster", "Project"]


class Project:
    """`server` creates the accounts and sends the codes."""

    def __init__(self, cluster, is_global=False):
        """is_global: client_ids are unique across all accounts, and the rows of one insert share their created_at."""
        self.database = cluster.project()
        self.database.run("delete from auth.users")
        if is_global:
            self.database.run(FIRST)
        else:
            self.database.migrate()
        self.server = Server()
        self.service = TableService(self.database, self.server.port)

    @property
    def env(self):
        """The environment variables with which a program uses the project."""
        return {"SUPABASE_URL": self.service.url, "SUPABASE_ANON_KEY": KEY}

    @property
    def url(self):
        return self.service.url

    def code(self, email):
        return self.server.code(email)

    def rows(self, account):
        """Returns client_id and payload of the account's rows, in the server's order."""
        [rows] = self.service.transaction(
            "select coalesce(json_agg(json_build_array(client_id, payload) order by created_at, id), '[]') "
            "from public.events where user_id = %s", [account])
        return rows

    def insertions(self):
        """Returns (on_conflict, status) of each insertion so far."""
        return [(path.partition("on_conflict=")[2].partition("&")[0].replace("%2C", ","), status)
                for method, path, status in self.service.requests if method == "POST"]

    def stop(self):
        self.service.stop()
        self.server.stop()
