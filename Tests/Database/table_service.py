"""The table of events over HTTP, as Supabase serves it: PostgREST's requests and errors on a real PostgreSQL.

Each request runs as the role and with the claims of its token, under row-level security. Signing in is passed on to a
trunk-server, whose accounts become those of the project. There are no live connections.
"""

import base64
import http.client
import http.server
import json
import threading
import time
import urllib.parse

import psycopg2

from table_query import Problem, TableQuery

STATUS = {"23505": 409, "23503": 409, "42P01": 404, "57014": 500, "40001": 500, "40P01": 500}


class TableService:
    """max_rows: the maximum number of rows in a response, a setting of a Supabase project."""

    def __init__(self, database, auth=None, max_rows=1000):
        """auth: the port of a trunk-server on this computer."""
        self.database, self.auth, self.max_rows = database, auth, max_rows
        # Method, path with query, and status of each request for the table.
        self.requests = []
        service = self

        class Handler(_Handler):
            pass

        Handler.service = service
        self._http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_port}"

    def stop(self):
        self._http.shutdown()
        self._http.server_close()

    def transaction(self, statement, values=(), role=None, claims=None):
        """Runs one statement in a transaction and returns its first row, or None."""
        connection = psycopg2.connect(self.database.uri)
        try:
            with connection, connection.cursor() as cursor:
                if role:
                    cursor.execute("select set_config('role', %s, true), set_config('request.jwt.claims', %s, true), "
                                   "set_config('timezone', 'UTC', true)", (role, json.dumps(claims)))
                cursor.execute(statement, values)
                return cursor.fetchone() if cursor.description else None
        finally:
            connection.close()

    def add_account(self, account, email=None, metadata=None):
        self.transaction("insert into auth.users (id, email, raw_user_meta_data) values (%s, %s, %s) "
                         "on conflict (id) do nothing", (account, email, json.dumps(metadata or {})))


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def respond(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path, _, query = self.path.partition("?")
        try:
            if "apikey" not in self.headers:
                raise Problem(401, None, "No API key found in request")
            if path == "/rest/v1/events":
                self.rest(urllib.parse.parse_qsl(query, keep_blank_values=True))
            elif path == "/auth/v1/admin/users" and self.command == "POST":
                self.create_account()
            elif path.startswith("/auth/v1/") and self.service.auth:
                self.pass_on()
            else:
                raise Problem(404, "PGRST125", "Invalid path specified in request URL")
        except Problem as problem:
            self.send(problem.status, problem.json())
        except psycopg2.Error as error:
            self.send_database_error(error)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = respond

    def rest(self, query):
        role, claims = self.identity()
        prefer = {preference.strip() for preference in self.headers.get("Prefer", "").split(",")}
        table_query = TableQuery(self.command, query, prefer, self.body, self.service.max_rows)
        row = self.service.transaction(*table_query.statement(), role=role, claims=claims)
        status, body, headers = table_query.response(row)
        self.send(status, body, headers)

    def identity(self):
        """Returns the role and the claims of the token. Doesn't check the signature, because all requests come from tests."""
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer":
            return "anon", {"role": "anon"}
        try:
            part = token.split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        except (IndexError, ValueError):
            raise Problem(401, "PGRST301", "Expected 3 parts in JWT") from None
        if claims["exp"] < time.time() - 30:
            raise Problem(401, "PGRST303", "JWT expired")
        return "authenticated", claims

    def create_account(self):
        account = json.loads(self.body)
        self.service.add_account(account["id"], account["email"], account["user_metadata"])
        self.send(200, json.dumps(account))

    def pass_on(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.service.auth, timeout=60)
        try:
            connection.request(self.command, self.path, self.body, dict(self.headers))
            response = connection.getresponse()
            content = response.read()
        except OSError:
            return self.send(502, None)
        finally:
            connection.close()
        if response.status == 200 and b'"access_token"' in content:
            self.service.add_account(json.loads(content)["user"]["id"])
        self.send(response.status, content.decode(), {
            name: value for name, value in response.getheaders()
            if name.lower() not in ("content-length", "connection", "transfer-encoding")})

    def send_database_error(self, error):
        code = error.pgcode or "PGRST000"
        status = STATUS.get(code, 400)
        if code == "42501":
            status = 401 if self.identity()[0] == "anon" else 403
        elif code == "PGRST000" or code[:2] in ("08", "53") or code.startswith("57P"):
            status = 503
        message = error.diag.message_primary or "Database connection error"
        self.send(status, Problem(status, code, message, error.diag.message_detail, error.diag.message_hint).json())

    def send(self, status, body, headers=None):
        if self.path.startswith("/rest/"):
            self.service.requests.append((self.command, self.path, status))
        content = (body or "").encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json; charset=utf-8", **(headers or {})}.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD" and status != 204:
            self.wfile.write(content)

    def log_message(self, *_):
        """Requests are in `requests`."""
