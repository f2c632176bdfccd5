"""Scripts that users run: they ask before sudo, and `make run` builds one program. A bus starts only the services
that a test names. The metainfo file knows the sizes of its pictures."""

import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
ECHO = '#!/bin/sh\necho "$(basename "$0") $*" >>"$CALLS"\n'


class CheckTasksTest(unittest.TestCase):
    """The check for tasks that use a widget after its page is gone."""

    def problems(self, code):
        with tempfile.NamedTemporaryFile("w", suffix=".swift") as file:
            file.write(code)
            file.flush()
            done = subprocess.run([SCRIPTS / "check-tasks", file.name], capture_output=True, text=True)
        self.assertEqual(done.returncode, bool(done.stderr), done.stderr)
        return done.stderr.splitlines()

    def test_a_task_that_may_use_a_widget_too_late_is_named(self):
        for code in ("loading = Task {\n  let a = try await read()\n  show(a)\n}\n",
                     "Task { await read() }\n",
                     'let task = Task { await read() }\nwidget.on("unmap") { task.cancel() }\n',
                     "context.attempt { [self] in\n  show(try await read())\n}\n",
                     "context.attempt(in: foot) { [self, model] in try await read() }\n"):
            self.assertEqual(len(self.problems(code)), 1, code)

    def test_a_task_that_ends_with_its_page_is_accepted(self):
        for code in ("Task { [weak self] in await self?.check() }\n",
                     "Task { show() }\n",
                     'let task = Task { await read() }\nwidget.on("destroy") { task.cancel() }\n',
                     "Task {  // No widgets\n  await read()\n}\n",
                     "Task {\n  await read()\n  guard dialog.isOpen else { return }\n}\n",
                     "context.attempt(keeping: widget) { [self] in show(try await read()) }\n",
                     "context.attempt { [weak self] in self?.show(try await read()) }\n"):
            self.assertEqual(self.problems(code), [], code)


class InstallDependenciesTest(unittest.TestCase):
    """With stand-ins for the programs that look for and install packages."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="trunk-scripts-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.calls = self.folder / "calls"
        self.calls.touch()
        self.program("swift", "echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'")
        self.program("id", "echo 1000")
        self.program("dpkg-query", "")
        self.program("apt-get", "")
        self.program("sudo", "")

    def program(self, name, script):
        path = self.folder / name
        path.write_text((ECHO if name in ("sudo", "apt-get") else "#!/bin/sh\n") + script + "\n")
        path.chmod(0o755)

    def run_script(self, stdin):
        env = {**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin", "CALLS": str(self.calls)}
        env.pop("TRUNK_SKIP_DEPENDENCIES", None)
        return subprocess.Popen([SCRIPTS / "install-dependencies", "run"], env=env, stdin=stdin, stdout=subprocess.PIPE,
                                stderr=stdin if stdin != subprocess.DEVNULL else subprocess.PIPE, text=True,
                                start_new_session=True)

    def answer(self, text):
        """Runs it on a terminal and types the text. Returns its exit code and what it asked."""
        here, there = pty.openpty()
        process = self.run_script(there)
        os.close(there)
        output = b""
        while b"[Y/n]" not in output:
            output += os.read(here, 4096)
        os.write(here, text.encode())
        process.communicate(timeout=60)
        os.close(here)
        return process.returncode, output.decode()

    def test_a_swift_that_lacks_libraries_gets_them(self):
        """As in a new Debian, where Swift was only unpacked."""
        self.program("swift", "exit 127")
        process = self.run_script(subprocess.DEVNULL)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn("apt-get -qq -o Dpkg::Use-Pty=0 install", self.calls.read_text())

    def test_too_old_a_swift_is_named(self):
        for version in ("Swift version 6.1.2 (swift-6.1.2-RELEASE)", "Apple Swift version 5.10", "no version at all"):
            with self.subTest(version):
                self.program("swift", f"echo '{version}'")
                process = self.run_script(subprocess.DEVNULL)
                _, output = process.communicate(timeout=60)
                self.assertEqual((process.returncode, self.calls.read_text()), (1, ""))
                self.assertIn("Trunk needs Swift 6.2 or later", output)

    def test_a_no_installs_nothing(self):
        status, output = self.answer("n\n")
        self.assertEqual((status, self.calls.read_text()), (1, ""))
        self.assertIn("libadwaita-1-dev", output)

    def test_a_yes_installs(self):
        status, _ = self.answer("\n")
        self.assertEqual(status, 0)
        self.assertIn("install --yes --no-install-recommends adwaita-icon-theme", self.calls.read_text())

    def test_without_a_terminal_it_never_waits_for_a_password(self):
        self.program("sudo", "exit 1")
        process = self.run_script(subprocess.DEVNULL)
        _, output = process.communicate(timeout=60)
        self.assertEqual((process.returncode, self.calls.read_text()), (1, "sudo -n true\n"))
        self.assertIn("sudo apt-get install adwaita-icon-theme", output)


class MakeTest(unittest.TestCase):
    def programs(self, target):
        """Returns the programs that the target would build."""
        output = subprocess.run(["make", "--no-print-directory", "--dry-run", target], cwd=ROOT, check=True, timeout=60,
                                stdout=subprocess.PIPE, text=True).stdout
        return re.search(r"scripts/build (.*)", output)[1].split()

    def test_a_target_builds_only_the_programs_that_it_starts(self):
        self.assertEqual(self.programs("run"), ["trunk"])
        self.assertEqual(self.programs("demo"), ["trunk", "trunk-server"])
        self.assertIn("trunkctl", self.programs("build"))


class MetainfoTest(unittest.TestCase):
    def test_screenshots_have_the_sizes_that_the_metainfo_file_says(self):
        metainfo = (ROOT / "data/garden.trunk.trunk.metainfo.xml.in").read_text(encoding="utf-8")
        images = re.findall(r'<image width="(\d+)" height="(\d+)">\S*/([a-z-]+\.png)</image>', metainfo)
        self.assertGreater(len(images), 3)
        for *size, name in images:
            with self.subTest(name):
                header = (ROOT / "docs/screenshots" / name).read_bytes()[16:24]
                self.assertEqual(struct.unpack(">2I", header), tuple(map(int, size)))


class PrivateBusTest(unittest.TestCase):
    def names(self, *services):
        """Returns the services that a bus with these services can start, except the bus itself."""
        done = subprocess.run(
            [SCRIPTS / "private-bus", *services, "--", "gdbus", "call", "--session", "--dest", "org.freedesktop.DBus",
             "--object-path", "/", "--method", "org.freedesktop.DBus.ListActivatableNames"],
            capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout.replace("'org.freedesktop.DBus'", "").strip("()[], \n'"), done.stderr

    def test_only_the_services_named_can_start(self):
        self.assertEqual(self.names()[:2], (0, ""))
        self.assertEqual(self.names("org.a11y.Bus")[:2], (0, "org.a11y.Bus"))

    def test_a_service_that_is_not_installed_is_named(self):
        status, _, output = self.names("org.example.Missing")
        self.assertEqual(status, 1)
        self.assertIn("org.example.Missing", output)

    def test_the_exit_code_is_that_of_the_command(self):
        done = subprocess.run([SCRIPTS / "private-bus", "--", "sh", "-c", "exit 7"], capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 7)


if __name__ == "__main__":
    unittest.main()
