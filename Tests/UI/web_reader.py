"""Fetches events as the web client does: a page of the server's size, then the rows later than its last one."""

import urllib.parse


def pull(device, limit=1000):
    """Returns the payloads that such a client has after fetching until no rows arrive. limit: the server's maximum
    number of rows per request."""
    found, last = [], None
    while True:
        query = {"select": "*", "user_id": f"eq.{device.user}", "order": "created_at.asc"}
        if last:
            query["created_at"] = f"gt.{last}"
        page = device.request("GET", "/rest/v1/events?" + urllib.parse.urlencode(query))
        assert len(page) <= limit, len(page)
        if not page:
            return found
        found += [row["payload"] for row in page]
        last = page[-1]["created_at"]
