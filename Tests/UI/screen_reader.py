"""The screen reader Orca, which prints what it says.

usage: screen_reader.py     prints one line for each text until it is killed
"""

import contextlib
import fnmatch
import importlib.util
import logging
import subprocess
import sys
import tempfile

IS_INSTALLED = importlib.util.find_spec("orca") is not None


class ScreenReader:
    """Orca, on the display and the buses of this process. Use it as a context manager."""

    def __enter__(self):
        self._output = tempfile.TemporaryFile()
        self._process = subprocess.Popen([sys.executable, __file__], stdout=self._output, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, kind, error, trace):
        self._process.kill()
        self._process.wait()
        self._output.close()

    def lines(self):
        """Returns everything said so far, but not the name of the window, which Orca reads before some pages only."""
        self._output.seek(0)
        return [line for line in self._output.read().decode().splitlines() if line != "Trunk"]


def is_as_written(said, written):
    """Whether Orca has said what a transcript contains, in which * stands for any text."""
    return len(said) == len(written) and all(map(fnmatch.fnmatchcase, said, written))


def _listen():
    """Runs Orca with a log of its speech on standard output, and without a synthesiser."""
    from pyatspi.component import Component
    from pyatspi.text import Text
    from orca import orca, speech

    class Printer(logging.Handler):
        def emit(self, record):
            print(record.getMessage().removeprefix("SPEECH OUTPUT: '").removesuffix("'"), flush=True)

    speech.log.addHandler(Printer())
    speech.log.setLevel(logging.INFO)
    speech.log.propagate = False
    speech.init = lambda: None
    # GTK knows no places on the screen, and logs a warning when it is asked for one.
    for kind, name in ((Component, "getExtents"), (Text, "getCharacterExtents"), (Text, "getRangeExtents")):
        setattr(kind, name, _within_window(getattr(kind, name)))
    orca.getSettingsManager().activate(None, {"enableKeyEcho": False, "enableEchoByWord": False})
    orca.main()


def _within_window(method):
    """Returns a method that asks for the place in the window instead of the one on the screen."""
    import pyatspi

    def ask(self, *arguments):
        *others, kind = arguments
        return method(self, *others, pyatspi.WINDOW_COORDS if kind == pyatspi.DESKTOP_COORDS else kind)

    return ask


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        _listen()
