"""A computer without a window: a separate home and the command line."""

import json
import subprocess
import unittest

import tokens
from account import EMAIL
from program import BUILD, COMMAND_LIMIT, CONFIG, temporary_folder, variables
from server import Server


class Computer:
    """A separate home for the command line."""

    def __init__(self, server, home, **env):
        """home: an existing folder; env: additional environment variables."""
        self.server, self.home, self.env = server, home, env

    def variables(self):
        return variables(self.home, self.server.env | self.env)

    def run(self, *arguments, given="", before=()):
        """Runs a command and returns its exit code, standard output and standard error. before: a program that runs it."""
        done = subprocess.run([*before, BUILD / CONFIG / "trunkctl", *arguments], input=given, capture_output=True, text=True,
                              env=self.variables())
        tokens.check_text("the output of trunkctl", done.stdout + done.stderr)
        return done.returncode, done.stdout, done.stderr

    def json(self, *arguments):
        """Runs a command that must succeed, and returns its JSON output."""
        code, stdout, stderr = self.run(*arguments, "--json")
        assert code == 0, f"{arguments}: {code} {stderr}"
        return json.loads(stdout)

    def write(self, *arguments):
        """Runs a command that writes and must succeed, keeps its entries for the next sync, and returns its JSON output."""
        return self.json(*arguments, "--offline")

    def type_code(self, *options, email=EMAIL, before=lambda: None, lines=lambda code: [code], start=()):
        """Signs in as a user does, and types the code when trunkctl asks for it. before: called before the code arrives;
        lines: returns the lines to type for a code; start: a program that runs trunkctl. Returns exit code, standard output and standard error."""
        process = subprocess.Popen([*start, BUILD / CONFIG / "trunkctl", "login", email, *options], text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=self.variables())
        before()
        typed = "".join(line + "\n" for line in lines(self.server.code(email)))
        stdout, stderr = process.communicate(typed, timeout=COMMAND_LIMIT)
        tokens.check_text("the output of trunkctl", stdout + stderr)
        return process.returncode, stdout, stderr

    def login(self, *options, **how):
        """Signs in, which must succeed, and returns the JSON output. how: further arguments of `type_code`."""
        code, stdout, stderr = self.type_code(*options, "--json", **how)
        assert code == 0, stderr
        return json.loads(stdout)

    def titles(self):
        return sorted(sprout["title"] for sprout in self.json("list")["sprouts"])


class ComputerTestCase(unittest.TestCase):
    """A test with a server and any number of computers."""

    def setUp(self):
        self.server = self.start_server()
        self.addCleanup(self.server.stop)

    def start_server(self):
        return Server()

    def computer(self):
        """Returns another computer. At the end its home is searched for tokens and removed."""
        return Computer(self.server, temporary_folder(self.addCleanup))
