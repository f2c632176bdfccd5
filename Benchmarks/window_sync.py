"""Measures what the user sees while the window syncs, with a keyring, a server and another device."""

import contextlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

import sync_client
from limit import limit
from server import Server

EMAIL = "bench@example.org"  # the one that Server.sign_in signs in
WARM_UP = 10
WRITES = 60
NAMES = ("DATA", "CONFIG", "STATE", "CACHE")
VIEWS = ("today", "garden")


@contextlib.contextmanager
def keyring(folder):
    """Runs an empty, unlocked keyring on this bus, and yields its process."""
    folder.mkdir(mode=0o700)
    daemon = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
                              stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"),
                                   "XDG_RUNTIME_DIR": str(folder)})
    daemon.stdin.write(b"secret")
    daemon.stdin.close()
    try:
        subprocess.run(["gdbus", "wait", "--session", "--timeout", "30", "org.freedesktop.secrets"], check=True)
        yield daemon
    finally:
        daemon.terminate()
        daemon.wait()


def sign_in(release, server, home):
    """Signs in with the home folder `home`. Returns the environment for programs that use it."""
    env = {**os.environ, **{f"XDG_{name}_HOME": str(home / name) for name in NAMES},
           "SUPABASE_URL": f"http://127.0.0.1:{server.port}", "SUPABASE_ANON_KEY": "trunk"}
    login = subprocess.Popen([release / "trunkctl", "login", EMAIL], env=env, stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True)
    login.communicate(server.line(f"code for {EMAIL}: ") + "\n", timeout=60)
    if login.returncode != 0:
        sys.exit("trunkctl can't sign in")
    return env


def forget(home):
    """Removes the downloaded garden, so that the next start downloads it again."""
    for path in (home / "DATA/trunk").iterdir():
        if path.is_dir():
            shutil.rmtree(path)


def open_with(home, view):
    """Makes the next window open this view."""
    folder = home / "STATE/trunk"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "window.conf").write_text(f"[window]\nview={view}\n", encoding="utf-8")


def first_sync(release, env, phase):
    """Returns the measurements of a window until its first sync has ended in this phase; see `Measurement`."""
    output = subprocess.run([release / "trunk"], env={**env, "TRUNK_BENCH": "first-sync"}, stdout=subprocess.PIPE, text=True,
                          check=True, timeout=300).stdout
    if not re.fullmatch(rf"([0-9.]+ ){{3}}{phase}\n", output):
        sys.exit(f"the first sync of trunk did not end as {phase}: it printed {output!r}")
    return [float(figure) for figure in output.split()[:3]]


def minimum(runs):
    """Returns the minimum of each figure: delays caused by the program occur in every run, other delays don't."""
    return [min(figures) for figures in zip(*runs)]


def pull(release, folder, path, keyring):
    """Returns four durations in milliseconds. Three are of a window that fetches everything, in its slower view: the
    longest and the median time between two frames, and the longest work of the main thread between two frames. The fourth
    is the longest time between two frames while the keyring doesn't answer."""
    place = folder / "server-of-the-window"
    server = Server(release / "trunk-server", place)
    home = folder / "home-of-the-window"
    env = sign_in(release, server, home)
    sync_client.fill(place, server.sign_in()[1], path)
    pulls, waits = {view: [] for view in VIEWS}, []
    for _ in range(3):
        for view in VIEWS:
            open_with(home, view)
            forget(home)
            pulls[view].append(first_sync(release, env, "synced"))
    open_with(home, VIEWS[0])
    for _ in range(3):
        keyring.send_signal(signal.SIGSTOP)
        try:
            waits.append(first_sync(release, env, "offline"))
        finally:
            keyring.send_signal(signal.SIGCONT)
    server.stop()
    return *max(minimum(runs) for runs in pulls.values()), minimum(waits)[0]


def arrival(release, folder):
    """Returns the milliseconds of a POST, and those from a write on one device to the frame that shows it on another."""
    server = Server(release / "trunk-server", folder / "server-of-two")
    home = folder / "home-of-two"
    env = sign_in(release, server, home)
    writer = sync_client.Bench(release, f"http://127.0.0.1:{server.port}", folder / "writer-of-two", server.sign_in())
    window = subprocess.Popen([release / "trunk"], env={**env, "TRUNK_BENCH": "arrivals"}, stdout=subprocess.PIPE,
                              text=True)
    posts, arrivals = [], []
    try:
        for number in range(WARM_UP + WRITES):
            # Rows from before the connection is live are fetched and not counted.
            post = writer.do("post")["seconds"]
            with limit("the window paints what was written", 60):
                window.stdout.readline()
            begun = time.clock_gettime(time.CLOCK_BOOTTIME)
            writer.send("write 1\nsync")
            with limit("the window paints what was written", 60):
                painted = float(window.stdout.readline())
                for _ in range(2):
                    json.loads(writer.process.stdout.readline())
            if number >= WARM_UP:
                posts.append(post * 1000)
                arrivals.append((painted - begun) * 1000)
    finally:
        window.terminate()
        window.wait()
        window.stdout.close()
        writer.end()
        server.stop()
    return statistics.median(posts), statistics.median(arrivals)
