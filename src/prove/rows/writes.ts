import { always, normalizeKeys, otherWriter, respond, staleLists } from "../faults.ts";
import { type Rows, row } from "../model.ts";

const POSTS = ["report-damages", "submit-inspections"] as const;

const dora = {
  contactId: "30000000-0000-4000-8000-000000000001",
  name: "Dora",
  phone: "+48 555",
  email: null,
  hasWhatsapp: false,
  contactType: "store",
  createdAt: "2026-01-20T00:00:00.000Z",
};

export const writeRows: Rows = {
  "other-writer-of-the-list": row(["add-contact"], "compare-before-writing", {
    why: "A colleague adds a contact between the program's read and its write of the list.",
    faults: [
      otherWriter(
        "adds a contact",
        ({ store }) => {
          const contacts: object[] = store.contacts.get("S-2") ?? [];
          contacts.push({ ...dora });
        },
        { operation: "read" },
      ),
    ],
  }),
  "other-writer-of-the-store": row(["change-stores"], "compare-before-writing", {
    why: "A colleague changes the location of a store between the program's read and its write.",
    faults: [
      otherWriter(
        "moves the store",
        ({ store: { stores } }) => {
          const before = stores.get("S-2");
          if (before !== undefined) stores.set("S-2", { ...before, location: "New street" });
        },
        { operation: "read" },
      ),
    ],
  }),
  "other-writer-of-the-vehicle": row(["change-vehicles"], "compare-before-writing", {
    why: "A colleague changes the plate number of a vehicle between the program's read and its write.",
    faults: [
      otherWriter(
        "changes the plate number",
        ({ fleet: { vehicles } }) =>
          vehicles.set("vehicle-2", { ...vehicles.get("vehicle-2"), plateNumber: "WX 9999" }),
        { operation: "read" },
      ),
    ],
  }),
  "one-bad-entry": row([...POSTS, "create-stores"], "check-writes", {
    why: "The service rejects one entry for good, and accepts the others.",
    faults: [respond({ status: 400 }, { from: 2 })],
  }),
  "fails-half-way-then-again": row([...POSTS, "create-stores", "delete-damages"], "never-repeat-creates", {
    why: "The service fails in the middle of a run, and the scheduler starts the program again.",
    faults: [respond({ status: 500 }, { from: 2, times: 5 })],
    runs: "twice if it fails",
  }),
  "two-runs": row([...POSTS, "add-expositions", "add-contact"], "find-what-is-done", {
    why: "The scheduler starts the program twice.",
    runs: "twice",
  }),
  "two-runs-at-once": row([...POSTS, "add-expositions"], "lock", {
    why: "A slow run has not ended when the scheduler starts the next one.",
    runs: "together",
  }),
  "deleted-by-somebody-else": row(["delete-damages"], "recognize-deletions", {
    why: "A colleague has deleted one of the damages already.",
    faults: [otherWriter("deletes a damage", ({ fleet }) => fleet.damages.delete("damage-6"))],
  }),
  "not-found": row(["change-stores", "change-vehicles"], "check-writes", {
    why: "One of the entities is gone for good: its write is rejected with 404.",
    faults: [respond({ status: 404 }, always)],
  }),
  "list-lags-behind": row(POSTS, "remember-writes", {
    why: "The list is read from a replica that lags behind, and a second run does not see what the first one created.",
    faults: [staleLists],
    runs: "twice",
  }),
  "key-normalized": row(["create-stores"], "compare-identities", {
    why: "The service changes external IDs to upper case: the store exists, and not under its ID.",
    data: { stores: ["new-a", "new-b"].map((externalId) => ({ externalId, name: `Kiosk ${externalId}` })) },
    faults: [normalizeKeys],
    isHarmOfService: true,
  }),
};
