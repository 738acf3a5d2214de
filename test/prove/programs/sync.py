"""Does a task with requests and tenacity."""
import json
import os
import pathlib
import sys
from datetime import datetime, timedelta

import requests
from tenacity import retry, retry_if_exception, stop_after_attempt, wait_random_exponential

TASK = json.loads(pathlib.Path(os.environ["SHELFLEET_TASK"]).read_text())
OUT = pathlib.Path(os.environ["SHELFLEET_OUT"])
DATA = TASK["data"]
IS_STORE = TASK["api"] == "store"
BASE = os.environ["STORE_URL" if IS_STORE else "FLEET_URL"]
TOKEN = os.environ["STORE_TOKEN" if IS_STORE else "FLEET_KEY"]

session = requests.Session()
session.headers["Authorization"] = f"Bearer {TOKEN}"


def is_temporary(error):
    if isinstance(error, (requests.ConnectionError, requests.Timeout)):
        return True
    response = getattr(error, "response", None)
    return response is not None and response.status_code in (429, 500, 502, 503, 504)


def send(method, path, **options):
    response = session.request(method, BASE + path, timeout=1.5, **options)
    response.raise_for_status()
    return response.json() if response.content else None


send_again = retry(
    retry=retry_if_exception(is_temporary),
    stop=stop_after_attempt(3),
    wait=wait_random_exponential(multiplier=0.2, max=2),
    reraise=True,
)(send)


def call(method, *segments, **options):
    path = "/" + "/".join(requests.utils.quote(segment, safe="") for segment in segments)
    # a POST is not idempotent
    return (send if method in ("POST", "PATCH") else send_again)(method, path, **options)


def walk_cursors(*segments, **params):
    cursor = None
    while True:
        page = call("GET", *segments, params={**params, **({"cursor": cursor} if cursor else {})})
        yield from page["items"]
        cursor = page.get("nextCursor")
        if cursor is None:
            return


def walk_pages(*segments, **params):
    page = 1
    while True:
        body = call("GET", *segments, params={**params, "limit": 100, "page": page})
        yield from body["data"]
        if not body["meta"]["pagination"]["hasNextPage"]:
            return
        page += 1


def parse(text):
    time = datetime.fromisoformat(text.replace("Z", "+00:00"))
    if time.tzinfo is None:
        raise ValueError(f"a time without offset: {text}")
    return time


def in_range(*segments, limit):
    start, end = parse(DATA["from"]), parse(DATA["to"])
    wider = {"from": (start - timedelta(days=1)).isoformat(), "to": (end + timedelta(days=1)).isoformat()}
    for row in walk_cursors("v1", "stores", DATA["externalId"], *segments, limit=limit, **wider):
        if start <= parse(row["createdAt"]) < end:
            yield row


def deliver(rows):
    lines = []
    for row in rows:
        for column in DATA["columns"]:
            row[column]  # fails if the column is missing
        lines.append(json.dumps(row))
    (OUT / "rows.ndjson").write_text("\n".join(lines) + "\n")


def copy():
    if TASK["name"] == "copy-stores":
        return walk_cursors("v1", "stores", limit=100)
    if TASK["name"] == "copy-protocols":
        return ({"protocolId": row["protocolId" if "protocolId" in row else "id"], **row} for row in in_range("protocols", limit=100))
    if TASK["name"] == "copy-photos":
        status = DATA.get("status")
        return (row for row in in_range("photos", limit=500) if status in (None, row["status"]))
    if TASK["name"] == "copy-fill-rates":
        groups = call("GET", "v1", "fill-rate", params={"from": DATA["from"], "to": DATA["to"]})["groups"]
        if all(group["fillRate"] <= 1 for group in groups):
            raise ValueError("rates that look like fractions")
        return groups
    if TASK["name"] == "copy-vehicles":
        return walk_pages("vehicles")
    if TASK["name"] == "copy-damages":
        return walk_pages("damages")
    wanted = DATA.get("isActive")
    rows = {row["id"]: row for active in ("true", "false") for row in walk_pages("inspection-templates", isActive=active)}
    return (row for row in rows.values() if wanted in (None, row["isActive"]))


def write():
    name = TASK["name"]
    store = ["v1", "stores", DATA.get("externalId", "")]
    if name == "change-stores":
        for change in DATA["stores"]:
            one = call("GET", "v1", "stores", change["externalId"])
            del one["storeId"]
            call("PUT", "v1", "stores", change["externalId"], json={**one, "name": change["name"]})
    elif name == "create-stores":
        for created in DATA["stores"]:
            body = {key: value for key, value in created.items() if key != "externalId"}
            stored = call("PUT", "v1", "stores", created["externalId"], json=body)
            if stored["externalId"] != created["externalId"]:
                raise RuntimeError(f"stored as {stored['externalId']}")
    elif name == "add-contact":
        items = call("GET", *store, "contacts")["items"]
        contacts = [{k: v for k, v in item.items() if k not in ("contactId", "createdAt")} for item in items]
        added = DATA["contact"]
        if not any((item["name"], item["phone"]) == (added["name"], added["phone"]) for item in contacts):
            call("PUT", *store, "contacts", json={"contacts": [*contacts, added]})
    elif name == "add-expositions":
        items = call("GET", *store, "expositions")["items"]
        labels = [item["label"] for item in items]
        added = [one for one in DATA["expositions"] if one["label"] not in labels]
        if added:
            call("PUT", *store, "expositions", json={"expositions": [*items, *added]})
    elif name == "change-exposition":
        items = call("GET", *store, "expositions")["items"]
        for item in items:
            if item["expositionId"] == DATA["expositionId"]:
                item["label"] = DATA["label"]
        call("PUT", *store, "expositions", json={"expositions": items})
    elif name in ("report-damages", "submit-inspections"):
        resource, key = ("damages", "description") if name == "report-damages" else ("inspections", "notes")
        log = OUT / "created"  # a list may lag behind
        known = {row.get(key) for row in walk_pages(resource)} | set(log.read_text().splitlines() if log.exists() else ())
        for entry in DATA[resource]:
            if entry[key] not in known:
                call("POST", resource, json=entry)
                with log.open("a") as file:
                    file.write(entry[key] + "\n")
    elif name == "change-vehicles":
        for change in DATA["vehicles"]:
            before = call("GET", "vehicles", change["id"])["data"]
            vehicle = call("GET", "vehicles", change["id"])["data"]
            if vehicle != before:
                raise RuntimeError(f"vehicle {change['id']} is being changed")
            call("PUT", "vehicles", change["id"], json={**vehicle, **change})
    elif name == "change-inspections":
        for change in DATA["inspections"]:
            call("PATCH", "inspections", change["id"], json={"notes": change["notes"]})
    elif name == "delete-damages":
        for damage in DATA["ids"]:
            call("DELETE", "damages", damage)
    else:
        chosen = OUT / "oldest"
        if not chosen.exists():
            chosen.write_text(min(walk_pages("damages"), key=lambda row: parse(row["reportedAt"]))["id"])
        call("DELETE", "damages", chosen.read_text())


def exclusively(work):
    """Holds a lock that other processes see. The lock of a process that is gone counts as free."""
    lock = OUT / "lock"
    if lock.exists():
        try:
            os.kill(int(lock.read_text() or 0), 0)
        except ProcessLookupError:
            lock.unlink()
    try:
        with lock.open("x") as file:
            file.write(str(os.getpid()))
    except FileExistsError:
        sys.exit("another run is in progress")
    try:
        work()
    finally:
        lock.unlink()


if TASK["name"].startswith("copy-"):
    deliver(copy())
else:
    exclusively(write)
