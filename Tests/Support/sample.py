"""Chooses which of the longest tests a run has.

A whole run has a sample of them, another one each day; SOAK=1 runs all, and SAMPLE_SEED repeats the sample of a day.
"""

import datetime
import os
import random
import unittest

SEED = os.environ.get("SAMPLE_SEED") or datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def sampled(name, *, among, count):
    """Returns a decorator that skips the test unless `name` is one of `count` that were drawn from `among`."""
    assert name in among, name
    drawn = random.Random(SEED).sample(sorted(among), count)
    runs = os.environ.get("SOAK") == "1" or name in drawn
    return unittest.skipUnless(runs, f"not in the sample of SAMPLE_SEED={SEED}; SOAK=1 runs every test")
