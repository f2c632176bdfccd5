"""Another device of a user that uses Supabase's own Python client: see Tests/Server/venv and remote.py.

usage: supabase_device.py URL KEY
"""

import sys

from supabase import create_client

import events
from remote import serve


class Device:
    def __init__(self, url, key):
        self.client = create_client(url, key)
        self.email = self.user = None

    def ask_for_code(self, email):
        self.email = email
        self.client.auth.sign_in_with_otp({"email": email})

    def enter_code(self, code):
        response = self.client.auth.verify_otp({"email": self.email, "token": code, "type": "email"})
        self.user = response.user.id

    def rows(self):
        """Returns all rows of the user, in the server's order."""
        return self.client.table("events").select("*").order("created_at").order("id").execute().data

    def titles(self):
        """Returns the titles of planted sprouts."""
        return sorted(row["payload"]["title"] for row in self.rows() if row["type"] == "sprout_planted")

    def water(self, title, text):
        [sprout] = [row["payload"]["sproutId"] for row in self.rows() if row["payload"].get("title") == title]
        event = events.watered(sprout, events.days_ago(0), text)
        self.client.table("events").insert({
            "user_id": self.user, "type": event["type"], "payload": event, "client_id": event["client_id"],
            "client_timestamp": event["timestamp"]}).execute()


if __name__ == "__main__":
    serve(Device(*sys.argv[1:]))
