/** The features that write. */
import { expectation } from "../wrong-values.ts";
import type { Change, Fault, JsonObject, PlanStep, Step, WriteStep } from "../scenario.ts";
import {
  changesOf,
  type Draft,
  early,
  entities,
  exposition,
  type Feature,
  rejection,
  transport,
} from "./feature.ts";

const storeWrites = ["stores.omitted-fields", "stores.null-opening-times", "stores.null-store-type"] as const;
const otherWriters: readonly Change[] = [
  { kind: "touch", list: "stores", place: 0 },
  { kind: "touch", list: "contacts", place: 0 },
  { kind: "touch", list: "expositions", place: 0 },
  { kind: "touch", list: "expectations", place: 0 },
  { kind: "remove", list: "stores", place: 0.99 },
];

const deep = JSON.parse("[".repeat(600) + "]".repeat(600)) as never; // a value of an open property

/** Integers that would be sent back with other digits. */
const inexact: readonly Fault[] = [
  ["name", "90071992547409931"],
  ["openingTimes", '[{"open":12345678901234567890}]'],
  ["storeId", '"other"'],
].map(([property = "", json = ""]) => ({ kind: "wrong", property, json, noticed: "never" }));

/** Lists and entities that are not whole, or of which a part has another type. */
const torn: readonly Fault[] = [
  ["items", "[5]"],
  ["items", "[null]"],
  ["expositionId", "5"],
  ["externalId", "null"],
  ["externalId", '"s-000"'],
  ["externalId", '"S-000 "'],
  ["name", "null"],
].map(([property = "", json = ""]): Fault => ({ kind: "wrong", property, json, noticed: "full" }));

/** A list that does not name its store. */
const nameless: Fault = {
  kind: "wrong",
  property: "",
  pattern: '"externalId":"[^"]*",(?="items")|,"externalId":"[^"]*"(?=}$)',
  json: "",
  noticed: "full",
};

/** A list with a next page. */
const paged: Fault = {
  kind: "wrong",
  property: "",
  pattern: '\\{(?=("storeId":"[^"]*",)?"externalId":"[^"]*","items")',
  json: '{"nextCursor":"x",',
  noticed: "full",
};

const modify: Feature = {
  api: "store",
  data: [
    { entities: 2, contacts: 1 },
    { entities: 2, contacts: 0 },
  ],
  gaps: [...storeWrites, "lists.ids-after-replace", "lists.duplicates", "responses.nullable-properties"],
  faults: [
    ...entities,
    ...transport,
    ...inexact,
    ...torn,
    nameless,
    paged,
    { kind: "twice" },
    { kind: "copied" },
    { kind: "no-items" },
    { kind: "status", status: 503, acts: false, code: "not_configured" },
  ],
  changes: otherWriters,
  make: (pick) => {
    const step = pick.any<Partial<ModifyChange>>(
      { method: "stores.modify", desired: [{ name: "Changed" }] },
      { method: "stores.modify", desired: [{ location: null, storeType: "Kiosk" }] },
      { method: "stores.modify", desired: [{ name: "Store 0" }] },
      ...hows.flatMap((how): Partial<ModifyChange>[] => [
        { method: "contacts.modify", desired: [{ name: "New", phone: "+48 9" }], how },
        { method: "expositions.modify", desired: [exposition("New")], how: how === "remove" ? "same" : how },
      ]),
      { method: "expectations.modify", desired: [expectation], how: "append" },
    );
    const more = pick.mostly(
      {},
      { isAsync: true },
      { isUpper: true },
      { omitted: "regionId" },
      { abort: 30 },
      { desired: [{ location: deep }] },
    );
    const first = { do: "write", again: false, ...step, ...more } as never as Step; // the parts of one step
    const parallel = pick.mostly<"alone" | "modify" | "upsert">("alone", "modify", "upsert");
    const second: Readonly<Record<typeof parallel, Step[][]>> = {
      alone: [],
      modify: [[{ do: "write", method: "stores.modify", desired: [{ protocolCronEnabled: true }] }]],
      upsert: [[{ do: "call", method: "stores.upsert", args: ["S-000", { regionId: null }] }]],
    };
    return { programs: [[first], ...second[parallel]] };
  },
};

type ModifyChange = Pick<WriteStep, "method" | "desired" | "how">;
const hows = ["append", "edit", "remove", "same"] as const;
/** The contact of the first store. */
const storedContact = { contactType: "store", name: "Contact 0", phone: "+48 0" };
const plan: Feature = {
  api: "store",
  data: [{ entities: 2, contacts: 1, unnamed: 1 }],
  gaps: [...storeWrites, "stores.create-requirements"],
  faults: [
    ...entities,
    { kind: "wrong", property: "storeId", json: '"other"', noticed: "never" },
    { kind: "status", status: 401, acts: false },
    { kind: "status", status: 400, acts: false },
  ],
  changes: otherWriters,
  make: (pick) => {
    const concurrency = pick.mostly(1, 2);
    const more = pick.mostly<Partial<PlanStep>>(
      {},
      { dryRun: true },
      { check: false },
      { stop: 1 },
      { source: "array" },
      { source: "filtered" },
      { absent: "keep" },
    );
    const lists = pick.any<JsonObject>(
      {},
      { contacts: [storedContact, { name: "New", phone: "+48 9" }], expositions: [exposition("New")] },
      { expectations: [expectation], contacts: [] },
      { expectations: [expectation] },
    );
    const own = pick.mostly<JsonObject>({ name: "Changed" }, {}, { location: "Poznań" });
    const isNew = { externalId: "N-1", name: "New", location: "Poznań" };
    const created = pick.mostly<(typeof isNew)[]>([{ ...isNew, ...lists }], [isNew], []);
    const desired = [
      { externalId: "S-000", ...own, ...lists },
      ...("contacts" in lists ? [] : [{ externalId: "S-001", storeType: "Kiosk" }]),
      ...created,
    ];
    const again = pick.mostly(false, true);
    return { programs: [[{ do: "plan", method: "applyPlan", desired, again, concurrency, ...more }]] };
  },
};

const expositions: Feature = {
  api: "store",
  data: [{ entities: 2 }],
  gaps: [
    "expositions.absent",
    "expositions.matching",
    "expositions.omitted-title",
    "expositions.response",
    "expositions.unknown-id",
  ],
  faults: entities,
  changes: otherWriters,
  make: (pick) => {
    const desired = pick.any(
      [exposition("Exposition 0", { friendlyTitle: "Title" }), exposition("New")],
      [exposition("New"), exposition("Newer")],
      [exposition("Exposition 0")],
      [exposition("Renamed", { expositionId: "$expositions.0" })],
    );
    const omitted = pick.mostly({}, { omitted: "friendlyTitle" });
    const keep = { ...omitted, ...pick.any({}, { absent: "keep" } as const) };
    const readings = pick.mostly<Draft["readings"]>(
      {},
      { "expositions.matching": "label" },
      { "expositions.matching": "type" },
    );
    return {
      readings,
      programs: [[{ do: "write", method: "upsertExpositions", desired, again: true, ...keep }]],
    };
  },
};

/** Programs that share a client by `withOptions`: its limits, its end and the order of its changes. */
const shared: Feature = {
  api: "store",
  isUnwatched: true,
  data: [{ entities: 2, contacts: 1 }],
  gaps: ["stores.omitted-fields"],
  faults: [...rejection, { kind: "lose" }],
  changes: [],
  make: (pick) => {
    const get: Step = { do: "call", method: "stores.get", args: ["S-000"] };
    const write = { do: "write", method: "stores.modify" } as const;
    const name: Step = { ...write, desired: [{ name: "Changed" }] };
    const type: Step = { ...write, desired: [{ storeType: "Kiosk" }] };
    const drain: Step = { do: "drain", method: "drain", wait: pick.any(0, 10, 30) };
    const programs = pick.any<Step[][]>(
      [[name], [type]],
      [[name], [{ ...type, abort: 10 }], [{ ...write, desired: [{ location: "Elsewhere" }] }]],
      // the third change begins when the first one has ended, and the second one has not
      [[name], [type], [{ ...write, wait: pick.any(35, 45, 55), desired: [{ location: "Elsewhere" }] }]],
      [[get, get], [get], [get]],
      [[get, get], [get], [drain, get]],
      [
        [drain, get],
        [get, get],
      ],
    );
    return { programs, client: { hasCopies: true, ...pick.any({}, { maxConcurrency: 1 }) } };
  },
};

const chunks: Feature = {
  ...expositions,
  enough: 80,
  data: [{ entities: 1 }],
  gaps: ["expositions.absent"],
  faults: [{ kind: "lose" }],
  changes: [],
  make: (pick) => {
    const count = pick.any(500, 501, 1001);
    const desired = Array.from({ length: count }, (_, at) => exposition(`Rack ${at}`));
    return {
      programs: [[{ do: "write", method: "upsertExpositions", desired, absent: "keep", again: true }]],
    };
  },
};

const ensured: Feature = {
  api: "fleet",
  data: [{ entities: 2 }, { entities: 0 }, { entities: 3, twins: true }],
  gaps: ["fleet.put", "fleet.create-status", "fleet.undocumented-responses", "lists.undocumented"],
  faults: [...entities, { kind: "status", status: 500, acts: true }, { kind: "stall", acts: true }],
  changes: [...changesOf("vehicles", "add", "remove"), ...early("vehicles", "add", "touch")].map(
    (change) => ({ ...change, place: 0.3 }) as Change,
  ),
  make: (pick) => {
    const desired = [
      { plateNumber: "WX 10000", brand: "DAF" },
      { plateNumber: "NEW 1", brand: "MAN" },
    ];
    const more = pick.mostly<Partial<WriteStep>>(
      {},
      { dryRun: true },
      { key: ["plateNumber", "brand"] },
      // another key than that of the stored vehicle
      { desired: [{ plateNumber: "wx 10000", brand: "DAF" }] },
      { desired: [{ plateNumber: "WX 10001", model: "Changed" }] },
    );
    const step = { do: "write", method: "ensure", desired, again: true, ...more } as const;
    return { programs: [[step]] };
  },
};

export const writeFeatures: Readonly<Record<string, Feature>> = {
  modify,
  "plan and apply": plan,
  upsertExpositions: expositions,
  "clients of withOptions": shared,
  "chunks of expositions": chunks,
  ensure: ensured,
};
