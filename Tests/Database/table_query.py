"""Translates a request to PostgREST into an SQL statement, and the result of the statement into a response."""

import json
import re

COLUMNS = ["id", "user_id", "type", "payload", "client_id", "client_timestamp", "created_at"]
OPERATORS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
NOT_FILTERS = {"select", "order", "limit", "offset", "on_conflict", "columns"}


class Problem(Exception):
    """An error response."""

    def __init__(self, status, code, message, details=None, hint=None):
        super().__init__(message)
        self.status = status
        self.body = {"code": code, "message": message, "details": details, "hint": hint}

    def json(self):
        return json.dumps(self.body)


class TableQuery:
    def __init__(self, method, query, prefer, body, max_rows):
        self.method, self.prefer, self.body, self.max_rows = method, prefer, body, max_rows
        self.options = {name: value for name, value in query if name in NOT_FILTERS}
        self.values = []
        self.columns = self._columns(self.options.get("select", "*"))
        self.conditions = [self._condition(name, value) for name, value in query if name not in NOT_FILTERS]
        self.where = " where " + " and ".join(self.conditions) if self.conditions else ""

    def statement(self):
        """Returns the statement, whose result is one row, and its values."""
        if self.method in ("GET", "HEAD"):
            return self._select(), self.values
        if self.method == "POST":
            return self._insert(), self.values
        if self.method == "DELETE":
            if not self.conditions:
                raise Problem(400, "21000", "DELETE requires a WHERE clause")
            return (f"with gone as (delete from public.events{self.where} returning 1) "
                    f"select '[]', count(*), null from gone"), self.values
        raise Problem(405, "PGRST117", "Unsupported HTTP method: " + self.method)

    def response(self, row):
        """Returns status, body and headers. row: the list as JSON, its length, and the number of all matching rows."""
        rows, count, total = row
        if self.method == "DELETE":
            return 204, None, {"Content-Range": f"*/{count if 'count=exact' in self.prefer else '*'}"}
        if self.method == "POST":
            is_minimal = "return=representation" not in self.prefer
            return 201, None if is_minimal else rows, {"Content-Range": "*/*"}
        start = int(self.options.get("offset", 0))
        span = f"{start}-{start + count - 1}" if count else "*"
        status = 206 if total is not None and count < total else 200
        return status, rows, {"Content-Range": f"{span}/{'*' if total is None else total}"}

    def _select(self):
        total = f"(select count(*) from public.events{self.where})" if "count=exact" in self.prefer else "null"
        # The condition occurs twice, and so do its values.
        self.values *= 2 if total != "null" else 1
        order = ", ".join(self._order(part) for part in self.options["order"].split(",")) if "order" in self.options else ""
        limit = min(self._number("limit", self.max_rows), self.max_rows)
        return (f"select coalesce(json_agg(page), '[]')::text, count(*), {total} from (select {self.columns} "
                f"from public.events{self.where}{' order by ' + order if order else ''} "
                f"limit {limit} offset {self._number('offset', 0)}) as page")

    def _insert(self):
        try:
            rows = json.loads(self.body)
        except ValueError:
            raise Problem(400, "PGRST102", "Empty or invalid json") from None
        rows = rows if isinstance(rows, list) else [rows]
        names = [name.strip('"') for name in self.options["columns"].split(",")] if "columns" in self.options else None
        if names is None:
            names = list(rows[0]) if rows else []
            if any(set(row) != set(names) for row in rows):
                raise Problem(400, "PGRST102", "All object keys must match")
        for name in names:
            if name not in COLUMNS:
                raise Problem(400, "PGRST204", f"Could not find the '{name}' column of 'events' in the schema cache")
        conflict = ""
        if "resolution=ignore-duplicates" in self.prefer:
            target = [self._column(name) for name in self.options.get("on_conflict", "id").split(",")]
            conflict = f" on conflict ({', '.join(target)}) do nothing"
        elif "resolution=merge-duplicates" in self.prefer:
            raise Problem(403, "42501", "permission denied for table events")
        # Unchanged, because PostgreSQL parses the JSON itself. Filters don't apply to insertions.
        text = self.body.decode()
        self.values = [text if text.lstrip().startswith("[") else f"[{text}]"]
        names = ", ".join(names)
        return (f"with added as (insert into public.events ({names}) select {names} "
                f"from json_populate_recordset(null::public.events, %s){conflict} returning {self.columns}) "
                "select coalesce(json_agg(added), '[]')::text, count(*), null from added")

    def _number(self, name, default):
        value = int(self.options.get(name, default))
        if value < 0:
            raise Problem(416, "PGRST103", "Requested range not satisfiable")
        return value

    def _columns(self, text):
        return "*" if text == "*" else ", ".join(self._column(name) for name in text.split(","))

    @staticmethod
    def _column(name):
        if name not in COLUMNS:
            raise Problem(400, "42703", f"column events.{name} does not exist")
        return name

    def _order(self, part):
        name, _, direction = part.partition(".")
        if direction not in ("", "asc", "desc"):
            raise Problem(400, "PGRST100", f'"failed to parse order ({part})"')
        return f"{self._column(name)} {direction}"

    def _condition(self, name, value):
        if name in ("and", "or"):
            return self._group(name, value)
        if name in ("not.and", "not.or"):
            return f"not {self._group(name[4:], value)}"
        return self._comparison(name, value)

    def _group(self, operator, text):
        if not (text.startswith("(") and text.endswith(")")):
            raise Problem(400, "PGRST100", f'"failed to parse logic tree ({text})"')
        parts = []
        for part in split(text[1:-1]):
            if match := re.fullmatch(r"((?:not\.)?(?:and|or))(\(.*)", part, re.DOTALL):
                parts.append(self._condition(*match.groups()))
            else:
                parts.append(self._comparison(*part.split(".", 1)))
        return "(" + f" {operator} ".join(parts) + ")"

    def _comparison(self, name, text):
        column = self._column(name)
        operator, _, value = text.partition(".")
        if operator == "not":
            return f"not ({self._comparison(name, value)})"
        if operator == "is" and value in ("null", "true", "false"):
            return f"{column} is {value}"
        if operator == "in" and value.startswith("(") and value.endswith(")"):
            items = [unquoted(item) for item in split(value[1:-1])]
            if not items:
                return "false"
            self.values += items
            return f"{column} in ({', '.join(['%s'] * len(items))})"
        if operator not in OPERATORS:
            raise Problem(400, "PGRST100", f'"failed to parse filter ({text})"')
        self.values.append(unquoted(value))
        return f"{column} {OPERATORS[operator]} %s"


def split(text):
    """Splits a text at the commas that are neither quoted nor in brackets."""
    parts, depth, is_quoted, start, index = [], 0, False, 0, 0
    while index < len(text):
        character = text[index]
        if is_quoted and character == "\\":
            index += 1
        elif character == '"':
            is_quoted = not is_quoted
        elif not is_quoted and character in "()":
            depth += 1 if character == "(" else -1
        elif not is_quoted and depth == 0 and character == ",":
            parts.append(text[start:index])
            start = index + 1
        index += 1
    return [*parts, text[start:]] if text else []


def unquoted(text):
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    return text
