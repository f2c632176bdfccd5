"""Events to import before a program starts."""

import json
import uuid
from datetime import datetime, timedelta, timezone

SEASONS = {"2w": 14, "1m": 30, "3m": 90, "6m": 180, "1y": 365}


def stamp(time):
    return time.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{time.microsecond // 1000:03d}Z"


def days_ago(days, now=None):
    return (now or datetime.now(timezone.utc)) - timedelta(days=days)


def event(kind, time, **fields):
    stamped = stamp(time)
    return {"type": kind, "timestamp": stamped, "client_id": f"{stamped}-{uuid.uuid4().hex[:8]}", **fields}


def planted(title, time, twig="branch-0-twig-0", season="2w", cost=2, leaf=None, **more):
    """Returns a sprout's ID and the events that plant it on a new leaf."""
    number = uuid.uuid4()
    made = event("leaf_created", time, leafId=f"leaf-{number}", twigId=twig, name=leaf or title)
    sprout = event(
        "sprout_planted", time, sproutId=f"sprout-{number}", twigId=twig, title=title, season=season,
        environment="fertile", soilCost=cost, leafId=f"leaf-{number}", **more)
    return f"sprout-{number}", [made, sprout]


def watered(sprout, time, text, prompt="What grew?"):
    return event("sprout_watered", time, sproutId=sprout, content=text, prompt=prompt)


def garden(title):
    """Returns the events of a garden with something for every screen: a sprout with this title that can be harvested, two
    others, a reflection and a seedling."""
    sprout, made = planted(title, days_ago(40), season="1m", leaf="Bach", twig="branch-2-twig-0",
                           bloomWither="no sound at all", bloomBudding="slowly, with the music",
                           bloomFlourish="by heart, and it sings")
    made += [watered(sprout, days_ago(day), "Twenty minutes, and the shift at bar nine held. " * 3)
             for day in (30, 9, 7, 2)]
    made += planted("Read", days_ago(3), twig="branch-1-twig-0", season="1y")[1]
    made += planted("Run", days_ago(3), twig="branch-0-twig-1", season="3m")[1]
    made.append(event("sun_shone", days_ago(20), twigId="branch-0-twig-0", twigLabel="movement",
                      content="What the light showed.", prompt="What has changed?"))
    made.append(event("seedling_created", days_ago(20), seedlingId="seedling-1", twigId="branch-2-twig-0",
                      title="Sing in a choir", notes="The one at the school"))
    return made


def write(path, events):
    """Writes an export file."""
    document = {"version": 4, "exportedAt": events[-1]["timestamp"], "events": events, "circles": {}, "settings": {}}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path
