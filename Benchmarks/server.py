"""Measures trunk-server: durable insertions by many clients at once, and the memory of idle live connections."""

import base64
import json
import os
import pathlib
import re
import socket
import sqlite3
import struct
import subprocess
import time

from limit import limit

CLIENTS = 32
INSERTIONS = 400  # of each client
CONNECTIONS = 1000
CONNECTIONS_PER_ACCOUNT = 50  # the limit of the server


class Server:
    def __init__(self, program, folder, rate_limit="off"):
        self.process = subprocess.Popen(
            [program, "--data", folder, "--listen", "127.0.0.1:0", "--print-codes", "--rate-limit", rate_limit,
             "--backup-every", "0"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.line("listening on ").rpartition(":")[2])

    def line(self, start):
        with limit(f"trunk-server prints '{start}'", 60):
            for line in self.process.stdout:
                if line.startswith(start):
                    return line[len(start):].strip()
        raise SystemExit(f"trunk-server ended without '{start}'")

    def sign_in(self, name="bench"):
        client, email = Client(self.port), f"{name}@example.org"
        client.ask("POST", "/auth/v1/otp", {"email": email})
        session = json.loads(client.ask("POST", "/auth/v1/verify", {
            "type": "email", "email": email, "token": self.line(f"code for {email}: ")}))
        return session["access_token"], session["user"]["id"]

    def memory(self):
        """Returns the server's memory in megabytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s*(\d+) kB", status, re.M)[1]) / 1024

    def stop(self):
        self.process.terminate()
        with limit("trunk-server ends", 60):
            self.process.wait()


class Client:
    """One persistent connection with as little overhead as possible."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @staticmethod
    def request(method, path, body, token=None):
        body = json.dumps(body).encode()
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        return (f"{method} {path} HTTP/1.1\r\nHost: localhost\r\napikey: trunk\r\n{bearer}"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body

    def ask(self, *request, expected=b" 200 "):
        self.socket.sendall(self.request(*request))
        return self.answer(expected)

    def answer(self, expected):
        response = b""
        while b"\r\n\r\n" not in response:
            response += self.socket.recv(65536)
        head, _, body = response.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        while length and len(body) < int(length[1]):
            body += self.socket.recv(65536)
        assert expected in head[:16], (head, body)
        return body


def row(user, name):
    return {"user_id": user, "type": "sprout-watered", "client_id": name,
            "client_timestamp": "2026-02-09T14:32:07.123Z", "payload": {"content": "x" * 200}}


def build_load(folder):
    """Builds the program that simulates the clients. It must use little processor time, because it competes with the
    server for it."""
    program = folder / "load"
    subprocess.run(["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-o", program,
                    pathlib.Path(__file__).with_name("load.c")], check=True)
    return program


def insertions(load, server, token, user, turn):
    """Returns the insertions per second of all clients together. Each insertion is one request."""
    requests = [Client.request("POST", "/rest/v1/events", row(user, f"{turn}-{client}-{index}"), token)
                for client in range(CLIENTS) for index in range(INSERTIONS)]
    output = subprocess.run(
        [load, str(server.port), str(CLIENTS), "201"], check=True, stdout=subprocess.PIPE,
        input=b"".join(struct.pack("=I", len(request)) + request for request in requests)).stdout
    return CLIENTS * INSERTIONS / float(output)


def transactions(folder, turn):
    """Returns the transactions per second of plain SQLite. Each inserts one such row, as durably as the server."""
    database = sqlite3.connect(folder / f"plain-{turn}.db", isolation_level=None)
    database.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE events (id TEXT NOT NULL UNIQUE, user_id TEXT, type TEXT, payload TEXT, client_id TEXT UNIQUE,"
        "client_timestamp TEXT, created_at INTEGER); CREATE INDEX place ON events (user_id, created_at, id)")
    count = 1000
    begin = time.perf_counter()
    for index in range(count):
        event = row("u", f"{index}")
        database.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", (
            os.urandom(16).hex(), "u", event["type"], json.dumps(event["payload"]), event["client_id"],
            event["client_timestamp"], index))
    return count / (time.perf_counter() - begin)


def listen(port, token, user):
    """Opens a live connection and joins a topic."""
    client = Client(port)
    key = base64.b64encode(os.urandom(16)).decode()
    client.socket.sendall((
        "GET /realtime/v1/websocket?apikey=trunk&vsn=2.0.0 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    client.answer(b" 101 ")
    changes = [{"event": "INSERT", "schema": "public", "table": "events", "filter": f"user_id=eq.{user}"}]
    text = json.dumps(["1", "1", "realtime:garden", "phx_join", {
        "config": {"postgres_changes": changes}, "access_token": token}]).encode()
    # A mask of zeros leaves the text unchanged.
    client.socket.sendall(b"\x81\xfe" + struct.pack(">H", len(text)) + bytes(4) + text)
    response = b""
    while b"Subscribed to PostgreSQL" not in response:
        part = client.socket.recv(65536)
        assert part, response
        response += part
    return client


def measure(program, folder):
    """Returns the time of a durable insertion relative to a plain transaction, the megabytes with idle connections, and a
    note."""
    load = build_load(folder)
    server = Server(program, folder / "server")
    try:
        token, user = server.sign_in()
        # Alternate, so that a busy disk affects both.
        pairs = [(transactions(folder, turn), insertions(load, server, token, user, turn)) for turn in range(3)]
        pairs.sort(key=lambda pair: pair[0] / pair[1])
        plain, shared = pairs[1]
    finally:
        server.stop()
    server = Server(program, folder / "server")
    try:
        accounts = [server.sign_in(f"bench{number}") for number in range(CONNECTIONS // CONNECTIONS_PER_ACCOUNT)]
        connections = [listen(server.port, *account) for account in accounts for _ in range(CONNECTIONS_PER_ACCOUNT)]
        memory = server.memory()
        for connection in connections:
            connection.socket.close()
    finally:
        server.stop()
    return plain / shared, memory, f"{shared:.0f} insertions a second, {plain:.0f} plain transactions"
