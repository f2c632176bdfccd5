"""A wall clock and a time zone that tests can change while programs run."""

import glob
import os
import pathlib
import shutil
import subprocess
import tempfile
import time


class FakeClock:
    """A clock that continues from the time to which it was set, or stands still. The program's timers follow it."""

    def __init__(self, when):
        [library] = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
        self._folder = tempfile.TemporaryDirectory(prefix="trunk-clock-")
        self._path = os.path.join(self._folder.name, "time")
        self.set(when)
        self.env = {
            "LD_PRELOAD": library,
            "FAKETIME_TIMESTAMP_FILE": self._path,
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_FMT": "%s",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, when):
        """Sets the clock to a datetime with a time zone, from which it continues."""
        self._write(f"{when.timestamp() - time.time():+.3f}")

    def stop(self, when):
        """Stops the clock at a datetime with a time zone, until `set` lets it continue."""
        self._write(f"{when.timestamp():.0f}")

    def _write(self, text):
        with open(self._path + ".new", "w", encoding="ascii") as file:
            file.write(text)
        os.replace(self._path + ".new", self._path)

    def close(self):
        self._folder.cleanup()


# A program that seems to be root couldn't log in to the session's buses, so the user stays and keeps the right to mount.
_OWN_MOUNTS = ("unshare", "--user", "--map-current-user", "--keep-caps", "--mount")


class SystemZone:
    """The computer's time zone for programs that are started through `under`. They see a separate /etc, in which a test
    sets the zone as the desktop's settings do."""

    def __init__(self, name):
        self._folder = tempfile.TemporaryDirectory(prefix="trunk-zone-")
        etc = pathlib.Path(self._folder.name) / "etc"
        # Some files aren't readable for all users; the tests don't need these.
        shutil.copytree("/etc", etc, symlinks=True, ignore=_unreadable)
        self._etc = etc
        self.set(name)
        mount = f'mount --bind {etc} /etc && exec "$@"'
        self.under = (*_OWN_MOUNTS, "sh", "-c", mount, "sh")

    @staticmethod
    def is_possible():
        """Whether this computer lets a program have a separate /etc; some containers don't."""
        probe = [*_OWN_MOUNTS, "mount", "--bind", "/etc", "/etc"]
        return subprocess.run(probe, capture_output=True).returncode == 0

    def set(self, name):
        """Sets the zone to a name of the tz database."""
        new = self._etc / "localtime.new"
        new.unlink(missing_ok=True)
        new.symlink_to(f"/usr/share/zoneinfo/{name}")
        new.rename(self._etc / "localtime")
        (self._etc / "timezone").unlink(missing_ok=True)

    def close(self):
        self._folder.cleanup()


def _unreadable(folder, names):
    paths = [pathlib.Path(folder) / name for name in names]
    return [path.name for path in paths if not (path.is_symlink() or (path.is_dir() or path.is_file())
                                                and os.access(path, os.R_OK))]
