"""Addresses, sign-in codes and the user's data, as clients send them.

usage: test_accounts.py TRUNK_SERVER
"""

import statistics
import subprocess
import time
import unittest

from server import PROGRAM, Server


class Accounts(unittest.TestCase):
    def start(self, *arguments):
        server = Server(*arguments)
        self.addCleanup(server.process.kill)
        return server

    def test_spellings_of_an_address_are_one_account(self):
        server = self.start("--allow", "@GRÜN.example")
        ids = set()
        for email in ("ada@grün.example", "\u200bAda@gru\u0308n.example\u2060", " ada@xn--grn-ioa.example\n"):
            server.request("POST", "/auth/v1/otp", {"email": email})
            code = server.line("code for ada@xn--grn-ioa.example: ")
            status, session = server.request(
                "POST", "/auth/v1/verify", {"type": "email", "email": email, "token": code})
            self.assertEqual(200, status, session)
            self.assertEqual("ada@xn--grn-ioa.example", session["user"]["email"])
            ids.add(session["user"]["id"])
        self.assertEqual(1, len(ids))
        subprocess.run([PROGRAM, "accounts", "delete", "ADA@Grün.example", "--yes", "--data", server.folder.name],
                       check=True, stdout=subprocess.DEVNULL)
        for email in ("a\nb@grün.example", "a b@grün.example", "ada@grün.example\n,eve@example.org", "\u200b"):
            self.assertEqual(400, server.request("POST", "/auth/v1/otp", {"email": email})[0], email)

    def test_data_of_the_user_is_an_object(self):
        server = self.start()
        token = server.sign_in("ada@example.org")["access_token"]
        for data, status in ((5, 400), ("x", 400), ([], 400), (True, 400), (None, 200), ({"name": "Ada"}, 200)):
            with self.subTest(data):
                found, answer = server.request("PUT", "/auth/v1/user", {"data": data}, token)
                self.assertEqual(status, found, answer)
                found, answer = server.request("POST", "/auth/v1/otp", {"email": "b@example.org", "data": data})
                self.assertEqual(status, found, answer)

    def test_null_since_reads_everything(self):
        server = self.start()
        session = server.sign_in_by_plain_interface("ada@example.org")
        _, empty = server.request("GET", "/api/sync/events", token=session["accessToken"])
        self.assertEqual({"events": [], "latestTimestamp": None}, empty)
        status, again = server.request("GET", "/api/sync/events?since=null", token=session["accessToken"])
        self.assertEqual((200, empty), (status, again))

    def test_the_time_of_an_answer_does_not_tell_who_has_an_account(self):
        server = self.start()
        server.sign_in("known@example.org")

        def median(email):
            times = []
            for _ in range(15):
                begin = time.monotonic()
                body = {"email": email, "create_user": False}
                self.assertEqual((200, {}), server.request("POST", "/auth/v1/otp", body))
                times.append(time.monotonic() - begin)
            return statistics.median(times)

        known, unknown = median("known@example.org"), median("unknown@example.org")
        # Storing a code takes a few milliseconds; an answer takes a whole number of steps.
        self.assertGreater(min(known, unknown), 0.045)
        steps = (known - unknown) / 0.05
        self.assertLess(abs(steps - round(steps)), 0.4)


if __name__ == "__main__":
    unittest.main(verbosity=1)
