"""Syncing from the command line: two computers, one account, and a window at the same time."""

import contextlib
import json
import re
import shutil
import sqlite3
import subprocess
import time
import unittest

from account import EMAIL, setUpModule, wait_sync  # noqa: F401
from computer import ComputerTestCase
from program import BUILD, CONFIG, Program, variables
from server import Device, free_port


class TerminalTest(ComputerTestCase):
    def test_one_garden_on_two_computers(self):
        here, there = self.computer(), self.computer()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.assertEqual(here.login("--upload")["pushed"], 2)
        self.assertEqual(here.titles(), ["Cello"])
        there.json("plant", "Stays apart", "--twig", "core/sport", "--season", "2w")
        self.assertEqual(there.login()["pulled"], 2)
        self.assertEqual(there.titles(), ["Cello"])
        there.write("plant", "Run", "--twig", "core/movement", "--season", "2w")
        self.assertEqual([entry["type"] for entry in there.json("outbox")["outbox"]], ["leaf_created", "sprout_planted"])
        self.assertEqual(there.json("sync")["pushed"], 2)
        self.assertEqual(there.json("outbox")["outbox"], [])
        self.assertEqual(here.json("sync")["pulled"], 2)
        self.assertEqual(here.json("sync", "--full")["mode"], "full")
        self.assertEqual(here.titles(), ["Cello", "Run"])

    def test_a_wrong_clock_is_named_with_both_times(self):
        here = self.computer()
        here.login()
        self.assertEqual((0, "0 entries received, 0 sent.\n", ""), here.run("sync"))
        self.assertEqual(0, here.json("doctor")["clockAhead"])
        message = (r"This computer\u2019s clock is 3 hours (ahead of|behind) the server: (.+?) here, (.+?) there\. "
                   r"Check the date and time settings\.")
        for shift, side in (("+3h", "ahead of"), ("-3h", "behind")):
            with self.subTest(shift):
                clock = ("faketime", "-f", shift)
                code, stdout, stderr = here.run("sync", before=clock)
                self.assertEqual(0, code, stderr)
                found = re.search(message, stderr)
                self.assertTrue(found, stderr)
                self.assertEqual(side, found[1])
                self.assertNotEqual(found[2], found[3])
                self.assertEqual("0 entries received, 0 sent.\n", stdout)
                self.assertRegex(" ".join(here.run("doctor", before=clock)[1].split()), message)
        here.json("logout")
        code, _, stderr = here.type_code("--json", start=("faketime", "-f", "+3h"))
        self.assertEqual(0, code, stderr)
        self.assertRegex(stderr, message)
        self.assertEqual(1, stderr.count("clock"))

    def test_local_entries_are_reported_and_can_be_uploaded(self):
        here = self.computer()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        code, stdout, _ = here.type_code()
        self.assertEqual(code, 0)
        text = " ".join(stdout.split())
        self.assertIn("You wrote 2 entries on this computer before you signed in. They stay here", text)
        self.assertIn("\u201ctrunkctl sync --upload\u201d adds them to the account.", text)
        self.assertEqual(here.titles(), [])
        # The local entries are shown again after signing out, all of them.
        staying = "2 entries from before you signed in stay on this computer and are shown again after signing out."
        text = " ".join(here.run("logout")[1].split())
        self.assertIn(staying, text)
        # The only copy must not be suggested for deletion.
        self.assertNotIn(str(here.home / "data/trunk/local"), text)
        self.assertEqual(here.titles(), ["Cello"])
        self.assertEqual(here.login()["leftBehind"], 2)
        self.assertEqual(here.json("sync", "--upload")["pushed"], 2)
        self.assertEqual(here.titles(), ["Cello"])
        self.assertEqual(here.run("sync", "--upload"), (0, "0 entries received, 0 sent.\n", ""))
        text = "".join(here.run("logout")[1].split())
        self.assertIn(staying.replace(" ", ""), text)
        self.assertIn(f"deletethefolder{here.home / 'data/trunk/local'}.", text)
        self.assertEqual(here.titles(), ["Cello"])
        self.assertEqual(here.login("--upload")["leftBehind"], 0)

    def test_an_unfinished_local_text_is_reported_and_can_be_added(self):
        here = self.computer()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        here.login("--upload")
        here.json("logout")
        with contextlib.closing(sqlite3.connect(here.home / "data/trunk/local/garden.db")) as database, database:
            database.execute("INSERT INTO drafts (kind, entity, day, updated, text) VALUES ('sun', '', '', 1, 'Half')")
        text = " ".join(here.type_code()[1].split())
        self.assertIn("You began 1 text on this computer before you signed in. It stays here", text)
        here.json("logout")
        left = here.login()
        self.assertEqual((left["leftBehind"], left["draftsLeftBehind"]), (0, 1))
        here.json("sync", "--upload")
        [account] = here.home.glob("data/trunk/*-*/garden.db")
        with contextlib.closing(sqlite3.connect(account)) as database:
            self.assertEqual(database.execute("SELECT text FROM drafts").fetchall(), [("Half",)])
        here.json("logout")
        self.assertEqual(here.login()["draftsLeftBehind"], 0)

    def test_a_new_local_garden_can_be_uploaded_too(self):
        """The new garden's event numbers start at 1 again."""
        here = self.computer()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        here.login("--upload")
        here.json("logout")
        shutil.rmtree(here.home / "data/trunk/local")
        here.json("seed", "New", "--twig", "voice/practice")
        self.assertEqual(here.login()["leftBehind"], 1)
        self.assertEqual(here.json("sync", "--upload")["pushed"], 1)
        here.json("logout")
        self.assertEqual(here.login()["leftBehind"], 0)
        self.assertEqual(len(Device(self.server, EMAIL).events()), 3)

    def test_a_local_entry_with_another_text_is_reported(self):
        here = self.computer()
        here.json("seed", "My words", "--twig", "voice/practice")
        file = here.home / "garden.json"
        here.json("export", str(file))
        here.login()
        file.write_text(file.read_text().replace("My words", "Other words"))
        here.json("import", str(file))
        code, stdout, _ = here.run("sync", "--upload")
        self.assertEqual(code, 0)
        text = " ".join(stdout.split())
        self.assertIn("1 entry on this computer is in the account with a different text. The account\u2019s text stays:", text)
        self.assertIn("My words", text)
        self.assertIn("My words", here.run("log", "--superseded")[1])
        # The entry was uploaded and is not mentioned again.
        self.assertEqual(here.json("sync", "--upload")["conflicts"], 0)

    def test_the_first_of_two_simultaneous_sign_ins_stays(self):
        """The first user's garden, with its unsent entries, stays visible."""
        here = self.computer()

        process = subprocess.Popen([BUILD / CONFIG / "trunkctl", "login", EMAIL], text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=here.variables())
        # This code is sent first and typed last.
        code = self.server.code(EMAIL)
        here.login(email="ben@example.org")
        here.write("seed", "Unsent", "--twig", "voice/practice")
        stdout, stderr = process.communicate(code + "\n", timeout=60)
        self.assertNotEqual(process.returncode, 0, stdout)
        self.assertIn("Another account is signed in here.", stderr)
        self.assertEqual(len(here.json("outbox")["outbox"]), 1)
        self.assertEqual(here.json("sync")["pushed"], 1)

    def test_a_garden_being_downloaded_is_not_reported_as_empty(self):
        here = self.computer()
        here.login()
        here.json("seed", "Cello", "--twig", "voice/practice")
        here.json("sync")
        here.json("backup")
        here.json("logout")
        code, stdout, stderr = here.type_code()
        self.assertEqual(code, 0, stderr)
        self.assertNotIn("empty", stderr)

    def test_signing_in_works_if_the_local_garden_cannot_be_read(self):
        here = self.computer()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")

        def damage(code):
            # By the time the command asks for the code, it has opened the garden.
            garden = here.home / "data" / "trunk" / "local"
            shutil.rmtree(garden)
            (garden / "garden.db").mkdir(parents=True)
            return [code]

        code, stdout, stderr = here.type_code(lines=damage)
        self.assertEqual(code, 0, stderr)
        self.assertIn("Signed in.", stdout)
        self.assertIn("This computer\u2019s garden can\u2019t be read: ", stderr)
        self.assertEqual(here.run("sync")[0], 0)
        # An unreadable local garden doesn't prevent signing out either.
        code, text = here.run("logout")[:2]
        self.assertEqual(code, 0)
        self.assertIn("Thiscomputer\u2019sgardencan\u2019tberead:", "".join(text.split()))

    def test_a_wrong_code_is_asked_for_again(self):
        def wrong(code):
            return "000000" if code != "000000" else "111111"

        here = self.computer()
        code, _, stderr = here.type_code(lines=lambda code: [wrong(code), "the code?", code[:3] + " " + code[3:]])
        self.assertEqual(code, 0, stderr)
        self.assertIn("This code is wrong or has expired. Only the newest code works. Enter the code again:", stderr)
        self.assertIn("A code consists of digits. Enter the code again:", stderr)
        here.json("logout")
        # After a few attempts the command gives up, and the right code comes too late.
        code, _, stderr = here.type_code(lines=lambda code: 4 * [wrong(code)] + [code])
        self.assertEqual((code, stderr.count("Enter the code again:")), (1, 3))
        # A fifth wrong code would lock the address, and no other code would help then.
        code, _, stderr = here.type_code(lines=lambda code: [wrong(code), code])
        self.assertEqual((code, stderr.count("Enter the code again:")), (1, 0))
        self.assertIn("Too many wrong codes. You can request a new one in 15 minutes.", stderr)
        code, _, stderr = here.run("login", EMAIL)
        self.assertEqual(code, 1)
        self.assertIn("Too many wrong codes. You can request a new one in 15 minutes.", stderr)
        self.assertNotIn("A code was sent", stderr)

    def test_a_command_sends_what_it_writes(self):
        here = self.computer()
        planting = ("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.assertNotIn("sent", here.json(*planting))
        here.login("--upload")
        self.assertIs(here.json("water", "cello", "-m", "A line.")["sent"], True)
        self.assertIs(here.json("node", "rename", "voice/practice", "Cello")["sent"], True)
        self.assertIs(here.json("settings", "set", "name", "Ada")["sent"], True)
        self.assertEqual(len(Device(self.server, EMAIL).events()), 4)
        self.assertEqual(here.json("outbox")["outbox"], [])
        self.assertEqual(here.json("sync")["pushed"], 0)
        # What was sent can't be undone.
        code, stdout, stderr = here.run("undo")
        self.assertEqual((code, stdout), (1, ""))
        self.assertIn("before it is sent", stderr)
        # A garden of another folder belongs to no account.
        self.assertNotIn("sent", here.json(*planting, "--data-dir", str(here.home / "elsewhere")))

    def test_offline_entries_can_be_undone_until_they_are_sent(self):
        here = self.computer()
        here.login()
        for idea in ("One", "Two"):
            self.assertIs(here.json("plant", idea, "--twig", "core/sport", "--season", "2w", "--offline")["sent"], False)
        self.assertEqual(here.json("undo")["undone"][-1]["title"], "Two")
        self.assertEqual(here.titles(), ["One"])
        self.assertEqual(here.json("sync")["pushed"], 2)
        self.assertEqual(here.run("undo")[0], 1)
        here.json("settings", "set", "send", "off")
        self.assertIs(here.json("plant", "Two", "--twig", "core/sport", "--season", "2w")["sent"], False)
        here.json("settings", "set", "send", "on")
        # The next command sends everything.
        self.assertIs(here.json("water", "one", "-m", "A line.")["sent"], True)
        self.assertEqual(here.json("outbox")["outbox"], [])
        self.assertEqual(here.run("undo")[0], 1)

    def test_a_write_succeeds_without_the_server(self):
        here = self.computer()
        here.login()
        self.server.kill()
        code, stdout, stderr = here.run("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.assertEqual(code, 0)
        self.assertIn("Planted", stdout)
        self.assertRegex(stderr, r"\ANot sent yet: The server can\u2019t be reached\.[^\n]*\n\Z")
        code, stdout, stderr = here.run("water", "cello", "-m", "A line.", "--json")
        self.assertEqual((code, json.loads(stdout)["sent"]), (0, False))
        self.assertEqual(here.run("water", "cello", "-m", "A line.")[0], 1)
        # An entry that may have been sent can't be undone.
        self.assertEqual(here.run("undo")[0], 1)
        self.assertEqual(len(here.json("outbox")["outbox"]), 3)

    def test_a_silent_server_holds_up_a_command_for_three_seconds(self):
        here = self.computer()
        here.login()
        with self.server.paused():
            began = time.monotonic()
            code, stdout, stderr = here.run("seed", "Idea", "--twig", "voice/practice")
            self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(code, 0)
        self.assertIn("Saved", stdout)
        self.assertEqual(stderr, "Not sent yet: The server didn\u2019t answer within 3 seconds.\n")

    def test_commands_work_without_the_server(self):
        here = self.computer()
        here.login()
        here.write("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        self.server.kill()
        code, stdout, stderr = here.run("sync")
        self.assertEqual((code, stdout), (6, ""))
        self.assertIn("The server can\u2019t be reached.", stderr)
        code, _, stderr = here.run("logout")
        self.assertEqual(code, 7)
        self.assertIn("2 entries on this computer are not on the server", stderr)
        self.assertEqual(here.titles(), ["Cello"])
        report = here.json("logout", "--keep-copy")
        self.assertEqual((report["signedOut"], report["checked"]), (True, False))
        self.assertEqual([entry["reason"] for entry in report["missing"]], ["unsent", "unsent"])
        self.assertEqual(here.titles(), [])
        self.assertEqual(here.run("sync")[0], 3)
        code, _, stderr = here.run("login", EMAIL)
        self.assertEqual(code, 6)
        self.assertIn("The server can\u2019t be reached.", stderr)

    def test_invalid_requests_are_rejected(self):
        here = self.computer()
        for command in ("sync", "outbox", "logout"):
            code, stdout, stderr = here.run(command)
            self.assertEqual((code, stdout), (3, ""), command)
            self.assertIn("\u201ctrunkctl login you@example.org\u201d", stderr)
        self.assertEqual(list(here.home.glob("**/garden.db")), [])
        code, stdout, stderr = here.run("login", EMAIL, given="000000\n")
        self.assertEqual((code, stdout), (1, ""))
        self.assertIn("wrong or has expired", stderr)
        code, stdout, stderr = here.run("login", "not an address")
        self.assertEqual((code, stdout), (1, ""))
        self.assertIn("This is not an email address.", stderr)
        nowhere = subprocess.run([BUILD / CONFIG / "trunkctl", "login", EMAIL], capture_output=True, text=True,
                                 env=variables(here.home, {"SUPABASE_URL": None}))
        self.assertEqual(nowhere.returncode, 6)
        self.assertIn("No server is set.", nowhere.stderr)
        self.assertIn("TRUNK_BACKEND", nowhere.stderr)
        insecure = subprocess.run([BUILD / CONFIG / "trunkctl", "login", EMAIL], capture_output=True, text=True,
                                  env=variables(here.home, {"SUPABASE_URL": "http://example.org", "SUPABASE_ANON_KEY": "k"}))
        self.assertEqual(insecure.returncode, 1)
        self.assertIn("https://", insecure.stderr)

    def test_gardens_of_other_folders_and_accounts_are_separate(self):
        here = self.computer()
        here.login()
        elsewhere = here.home / "elsewhere"
        for command in ("sync", "logout", "outbox"):
            code, _, stderr = here.run(command, "--data-dir", str(elsewhere))
            self.assertEqual(code, 1, command)
            self.assertIn("not the one in this folder", stderr)
        self.assertFalse(elsewhere.exists())
        with self.assertRaisesRegex(AssertionError, "Another account is signed in"):
            here.login(email="ben@example.org")
        self.assertEqual(here.json("sync")["pending"], 0)

    def test_a_moved_server_must_be_confirmed(self):
        here = self.computer()
        here.login()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        here.json("sync")
        self.server.kill()
        here.json("plant", "Run", "--twig", "core/movement", "--season", "2w")
        # The same users with the same IDs, at another address.
        old, self.server.port = self.server.url, free_port()
        self.server.start()
        self.assertNotEqual(self.server.url, old)
        with self.assertRaisesRegex(AssertionError, f"belongs to {old}.*trunkctl login {EMAIL} --moved"):
            here.login()
        # Nothing was added or removed, and the account still has the old address.
        self.assertEqual(here.run("sync")[0], 6)
        self.assertEqual(here.titles(), ["Cello", "Run"])
        report = here.login("--moved")
        self.assertEqual((report["mode"], report["pushed"], report["pending"]), ("full", 2, 0))
        self.assertEqual(here.titles(), ["Cello", "Run"])
        device = Device(self.server, EMAIL)
        self.assertEqual(len(device.events()), 4)
        self.assertEqual(here.json("sync")["mode"], "incremental")

    def test_two_servers_with_the_same_user_id_are_not_mixed(self):
        here = self.computer()
        here.login()
        here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
        here.json("sync")
        device = Device(self.server, EMAIL)
        # The file that names the open garden's account names the other server, as after copying the folder.
        account = here.home / "data" / "trunk" / "account.conf"
        old = self.server.url
        account.write_text(account.read_text().replace(old, "http://127.0.0.1:1"))
        code, _, stderr = here.run("sync")
        self.assertEqual(code, 4)
        self.assertIn(f"belongs to {old}", stderr)
        self.assertEqual(here.titles(), ["Cello"])
        self.assertEqual(len(device.events()), 2)

    def test_the_command_line_syncs_while_a_window_is_open(self):
        here = self.computer()
        here.login()
        with Program(home=here.home, env=self.server.env) as program:
            self.addCleanup(program.stop)
            wait_sync(program, "synced")
            here.json("plant", "Cello", "--twig", "voice/practice", "--season", "2w")
            here.json("sync")
            program.find("push button", "Water \u201cCello\u201d")
            device = Device(self.server, EMAIL)
            names = [event["client_id"] for event in device.events()]
            self.assertEqual((len(names), len(set(names))), (2, 2))


if __name__ == "__main__":
    unittest.main()
