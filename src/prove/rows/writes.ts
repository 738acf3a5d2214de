import { always, fault, otherWriter, respond, type Where } from "../faults.ts";
import { objectOf } from "../../wire/json.ts";
import { eventRow, POSTS, PUTS, type Row, type Rows, row } from "../row.ts";
import { changeRow } from "../task.ts";

const reads: Where = { operation: "*", when: ({ method }) => method === "GET" };

const addDora = otherWriter("adds a contact", reads, ({ store }) => {
  const contacts = store.contacts.get("S-2") ?? [];
  for (const contact of contacts.slice(0, 1)) contacts.push({ ...contact, name: "Dora" });
});

/** Lists show what they showed at first. */
const staleLists = fault(
  "the list as it was at first",
  { ...always, operation: "*", when: ({ operation }) => operation.startsWith("list") },
  (on) => {
    const bodies = new Map<string, unknown>();
    return on.change(({ status, body }, { query }) => {
      const key = JSON.stringify(query);
      if (!bodies.has(key)) bodies.set(key, body);
      return { status, body: bodies.get(key) };
    });
  },
);

/** The service stores a new store under its external ID in upper case. */
const normalizeKeys = fault("the external ID in upper case", always, (on, { ref }) =>
  on.change(({ status, body }) => {
    const { stores } = ref.state.store;
    const externalId = String(objectOf(body)["externalId"]);
    const stored = stores.get(externalId);
    stores.delete(externalId);
    const changed = { externalId: externalId.toUpperCase() };
    if (stored !== undefined) stores.set(changed.externalId, { ...stored, ...changed });
    return { status, body: { ...objectOf(body), ...changed } };
  }),
);

export const writeRows: Rows = {
  "other-writer-of-the-list": eventRow(["add-contact"], "compare-before-writing", addDora, {
    why: "A colleague adds a contact between the program's read and its write of the list.",
  }),
  "other-writer-of-the-store": row(["change-stores"], "compare-before-writing", {
    why: "A colleague changes the location of a store between the program's read and its write.",
    fault: otherWriter("moves the store", reads, ({ store: { stores } }) =>
      changeRow(stores, "S-2", { location: "New street" }),
    ),
  }),
  "other-writer-of-the-vehicle": row(["change-vehicles"], "compare-before-writing", {
    why: "A colleague changes the plate number of a vehicle between the program's read and its write.",
    fault: otherWriter("changes the plate number", reads, ({ fleet: { vehicles } }) =>
      changeRow(vehicles, "vehicle-2", { plateNumber: "WX 9999" }),
    ),
  }),
  "one-bad-entry": row([...POSTS, "create-stores"], "check-writes", {
    why: "The service rejects one entry for good, and accepts the others.",
    fault: respond({ status: 400 }, { from: 2 }),
  }),
  "fails-half-way-then-again": row([...POSTS, "create-stores", "delete-damages"], "never-repeat-creates", {
    why: "The service fails in the middle of a run, and the scheduler starts the program again.",
    fault: respond({ status: 500 }, { from: 2, times: 5 }),
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
    fault: otherWriter("deletes a damage", {}, ({ fleet }) => fleet.damages.delete("damage-6")),
  }),
  "not-found": eventRow(PUTS, "check-writes", respond({ status: 404 }, always), {
    why: "One of the entities is gone for good: its write is rejected with 404.",
  }),
  "list-lags-behind": row(POSTS, "remember-writes", {
    why: "The list is read from a replica that lags behind, and a second run does not see what the first one created.",
    fault: staleLists,
    runs: "twice",
  }),
  "key-normalized": row(["create-stores"], "compare-identities", {
    why: "The service changes external IDs to upper case: the store exists, and not under its ID.",
    data: { stores: ["new-a", "new-b"].map((externalId) => ({ externalId, name: `Kiosk ${externalId}` })) },
    fault: normalizeKeys,
    isHarmOfService: true,
  }),
};

const COPIES = ["copy-stores", "copy-protocols", "copy-vehicles"] as const;

function killedAt(request: number, tasks: Row["tasks"]): Row {
  return row(tasks, "save-together", {
    rightOfWrites: "find-what-is-done",
    why: `The machine is restarted at request ${request} of the program's work, and the program starts again.`,
    runs: { killedAt: request },
  });
}

export const stopRows: Rows = {
  "killed-at-the-first-request": killedAt(1, ["report-damages", "add-expositions", "add-contact"]),
  "killed-at-the-second-request": killedAt(2, [...COPIES, ...POSTS]),
  "killed-at-the-third-request": killedAt(3, [...COPIES, "report-damages"]),
  "killed-while-it-deletes": row(["delete-oldest-damage"], "remember-writes", {
    why: "The machine is restarted when the DELETE is executed, and the next run looks for the oldest damage again.",
    runs: { killedAt: 1 },
  }),
};
