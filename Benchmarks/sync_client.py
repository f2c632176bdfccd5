"""Measures how sync-bench syncs with a server on the same computer."""

import asyncio
import http.client
import json
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
import uuid

from limit import limit
from server import Server


PULLS = 5


class Relay:
    """A proxy in front of the server that counts requests and bytes."""

    def __init__(self, port):
        self.target = port
        self.requests = self.received = 0
        self.loop = asyncio.new_event_loop()
        started = asyncio.run_coroutine_threadsafe(self.listen(), self.loop)
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.port = started.result()

    async def listen(self):
        listener = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        return listener.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.target)

        async def pump(source, target, count):
            while data := await source.read(1 << 18):
                count(data)
                target.write(data)
                await target.drain()
            target.close()

        def count_requests(data):
            self.requests += data.count(b" HTTP/1.1\r\n")

        def count_bytes(data):
            self.received += len(data)

        await asyncio.gather(pump(reader, server_writer, count_requests), pump(server_reader, writer, count_bytes),
                             return_exceptions=True)

    def reset(self):
        self.requests = self.received = 0


class Bench:
    """A running sync-bench that takes commands."""

    def __init__(self, release, address, folder, session):
        self.process = subprocess.Popen([release / "sync-bench", address, folder], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.send(line(session))

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def do(self, command):
        self.send(command)
        with limit(f"sync-bench {command}", 600):
            output = self.process.stdout.readline()
        if not output.startswith("{"):
            sys.exit(f"sync-bench {command}: {output}")
        return json.loads(output)

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        with limit("sync-bench ends", 60):
            self.process.wait()


def line(session):
    token, user = session
    return json.dumps({"user": user, "access": token, "refresh": "not needed"})


def fill(folder, user, path):
    """Stores the events of a file on the server, one second apart, as a device would send them."""
    events = json.loads(path.read_text(encoding="utf-8"))["events"]
    start = 1_600_000_000_000_000
    database = sqlite3.connect(folder / "trunk-server.db")
    with database:
        database.executemany(
            "INSERT INTO events (id, user_id, type, payload, client_id, client_timestamp, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((str(uuid.uuid4()), user, event["type"], json.dumps(event, ensure_ascii=False), event["client_id"],
              event.get("timestamp"), start + number * 1_000_000) for number, event in enumerate(events)))
    database.close()
    return len(events)


def against(units, measured):
    """Returns the median of the measurements, each relative to the mean of the references before and after it, because the
    machine may be faster a minute later."""
    return statistics.median(value / statistics.mean(around) for value, around in zip(measured, zip(units, units[1:])))


def pages_of(server, session):
    """Returns the pages that a client receives when it fetches everything, as bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"apikey": "trunk", "Authorization": "Bearer " + session[0]}
    columns = "id,created_at,type,payload,client_id,client_timestamp"
    query = f"/rest/v1/events?select={columns}&order=created_at.asc,id.asc&limit=1000"
    pages, place = [], ""
    while True:
        connection.request("GET", query + place, headers=headers)
        page = connection.getresponse().read()
        rows = json.loads(page)
        if not rows:
            break
        pages.append(page)
        created, row = rows[-1]["created_at"].replace("+", "%2B"), rows[-1]["id"]
        place = f"&or=(created_at.gt.{created},and(created_at.eq.{created},id.gt.{row}))"
    connection.close()
    return pages


def reference(pages):
    """Returns the seconds of processor time that Python's json.loads takes for these pages."""
    passes = 5  # together they take about as long as a download
    begun = time.process_time()
    for page in pages * passes:
        json.loads(page)
    return (time.process_time() - begun) / passes


def client(release, folder, path):
    """Returns times and sizes of a full download and of the following syncs; times are relative to json.loads."""
    place = folder / "server-of-rows"
    server = Server(release / "trunk-server", place)
    session = server.sign_in()
    rows = fill(place, session[1], path)
    pages = pages_of(server, session)
    pulls, units = [], [reference(pages)]
    for number in range(PULLS):
        relay = Relay(server.port)
        bench = Bench(release, f"http://127.0.0.1:{relay.port}", folder / f"pull{number}", session)
        pulls.append(bench.do("pull"))
        units.append(reference(pages))
        if number < PULLS - 1:
            bench.end()
    assert all(pull["rows"] == rows for pull in pulls), pulls
    download = against(units, [pull["seconds"] for pull in pulls])
    unit = statistics.median(units)
    index, again = bench.do("search")["seconds"] / unit, bench.do("again")["seconds"] / unit
    bench.do("settle")
    relay.reset()
    assert bench.do("sync")["fetched"] == 0
    quiet = relay.requests, relay.received / 1024
    bench.do("write 1000")
    relay.reset()
    assert bench.do("sync")["pushed"] == 1000
    sending = relay.requests - 1  # the last one fetches
    bench.end()
    server.stop()
    return (download, statistics.median(pull["kilobytes"] for pull in pulls) / 1024, *quiet, sending,
            f"R was {unit * 1000:.0f} ms ({sum(map(len, pages)) / 1e6:.0f} MB), the first search, which indexes these rows,"
            f" took {index:.1f} R, and fetching all rows again {again:.1f} R")


def live(release, folder):
    """Returns the milliseconds of a POST, and those from a write on one device to its arrival on another."""
    server = Server(release / "trunk-server", folder / "server-of-devices")
    session = line(server.sign_in()) + "\n"
    output = subprocess.run([release / "sync-bench", f"http://127.0.0.1:{server.port}", folder / "writer",
                           folder / "reader", "60"], check=True, input=session * 2, stdout=subprocess.PIPE,
                          text=True, timeout=600).stdout
    server.stop()
    return tuple(statistics.median(values) * 1000 for values in json.loads(output).values())
