"""A wall clock that a test sets, also while programs run."""

import glob
import os
import tempfile
import time


class FakeClock:
    """From the time that it was set to, it goes on at its own pace. Timers of the program follow it."""

    def __init__(self, when):
        [library] = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
        self._folder = tempfile.TemporaryDirectory(prefix="trunk-clock-")
        self._path = os.path.join(self._folder.name, "offset")
        self.set(when)
        self.env = {
            "LD_PRELOAD": library,
            "FAKETIME_TIMESTAMP_FILE": self._path,
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, when):
        """Takes a datetime with a zone."""
        with open(self._path + ".new", "w", encoding="ascii") as file:
            file.write(f"{when.timestamp() - time.time():+.3f}")
        os.replace(self._path + ".new", self._path)

    def close(self):
        self._folder.cleanup()
