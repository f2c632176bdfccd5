"""A separate folder for the temporary files of a run of tests. Tests remove what they create; what they leave is reported,
and removed with the folder."""

import contextlib
import os
import re
import tempfile

# SwiftPM leaves the locks of build folders, and empty folders.
SWIFTPM = re.compile(r".*\.lock|TemporaryDirectory\.\w+")


class TemporaryFiles:
    """Lists the files in a folder, with the tests that left them if these are known."""

    def __init__(self, folder):
        self._folder = folder
        self._makers = {}  # the test during which a file appeared

    def note(self, test):
        """Notes that new files are from this test, which has just ended."""
        for name in self._names():
            self._makers.setdefault(name, test)

    def report(self):
        """Returns a line for each file that is left."""
        return [f"a test left the temporary file {name}" + (f": {self._makers[name]}" if name in self._makers else "")
                for name in self._names()]

    def _names(self):
        return sorted(name for name in os.listdir(self._folder) if not SWIFTPM.fullmatch(name))


@contextlib.contextmanager
def separate_folder():
    """Makes TMPDIR a new folder for this program and those that it starts."""
    before = os.environ.get("TMPDIR")
    with tempfile.TemporaryDirectory(prefix="tests-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o711)  # PostgreSQL and some programs run as other users if the tests run as root
        os.environ["TMPDIR"] = tempfile.tempdir = folder
        try:
            yield TemporaryFiles(folder)
        finally:
            tempfile.tempdir = None
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before
