import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../generated/fleet.ts";
import { Caller } from "./caller.ts";

const PERSON = { id: "user-1", firstName: "Ada", lastName: "Lis", email: "ada@example.com" };
const TIME = "2025-12-31T08:00:00Z";
const UUID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const VEHICLE = {
  plateNumber: "WX 1",
  brand: "MAN",
  model: "TGX",
  vin: "WDB00000000000001",
  type: "TRACTOR_UNIT",
};
const DAMAGE = {
  description: "Dent",
  photoUrl: "/1.jpg",
  status: "TO_REPAIR_NOT_OK",
  reportedAt: TIME,
  repairedAt: null,
};

const INSPECTION = {
  templateId: "template-1",
  vehicleIds: ["vehicle-1"],
  status: "COMPLETED",
  performedAt: TIME,
  performedBy: PERSON,
  location: { title: "Depot", latitude: 52.23, longitude: 21 },
  notes: "In the rain",
  responses: [
    {
      templateItemId: "template-1-item-1",
      responseText: "true",
      fileUrl: null,
      followUpResponses: null,
      vehicleId: "vehicle-1",
    },
    {
      templateItem: { id: "field-1", label: "Tyres", inputType: "SELECT", isRequired: true },
      updatedAt: TIME,
      followUpResponses: { templateItemId: "nothing" },
    },
  ],
  damages: [{ ...DAMAGE, vehicleId: "vehicle-1", reportedBy: PERSON, assignedTo: PERSON }],
};

const ITEM = {
  id: "item-1",
  label: "Lights?",
  inputType: "SELECT",
  isRequired: true,
  order: 1,
  instructionImageUrl: null,
};
const TEMPLATE = {
  title: "Daily",
  description: "Each day",
  version: 1,
  isActive: true,
  groupIds: ["group-1"],
  items: [{ ...ITEM, options: ["yes", "no"], dependsOn: { anything: [1], vehicleId: "nobody" } }],
};

const WHOLE_DAMAGE = {
  ...DAMAGE,
  vehicle: { id: "vehicle-1", plateNumber: "WX 1" },
  inspectionId: "[inspection]",
  reportedBy: PERSON,
  assignedTo: PERSON,
};

const STORE = {
  externalId: "S-1",
  name: "Kiosk",
  location: null,
  regionId: UUID,
  storeType: "Kiosk",
  openingTimes: [{ weekday: 1, from: "06:00", to: "21:30" }],
  protocolScheduleId: UUID,
  protocolCronEnabled: true,
  onboardingComplete: false,
  loginCode: "123456",
};

const CONTACT = { contactType: "store", name: "Ada", phone: "1", email: null, hasWhatsapp: true };
const EXPECTATION = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 0,
  protocolTime: "08:00",
  expectedFillRatio: 50,
};
const EXPOSITION = {
  label: "A",
  friendlyTitle: null,
  productCategories: ["DRINKS"],
  expositionType: "FRIDGE_DRINKS",
  status: "active",
};

/** One body with every property of each write. */
const WRITES: Readonly<Record<string, JsonObject>> = {
  "PUT /v1/stores/S-1": STORE,
  "PUT /v1/stores/S-1/contacts": { contacts: [CONTACT] },
  "PUT /v1/stores/S-1/expectations": { expectations: [EXPECTATION] },
  "PUT /v1/stores/S-1/expositions": { expositions: [{ ...EXPOSITION, expositionId: UUID }, EXPOSITION] },
  "POST /vehicles": VEHICLE,
  "PUT /vehicles/vehicle-1": { id: "vehicle-1", ...VEHICLE },
  "POST /vehicle-groups": { name: "Depot" },
  "PUT /vehicle-groups/group-1": { name: "Depot" },
  "POST /inspections": INSPECTION,
  "PATCH /inspections/[inspection]": {
    ...INSPECTION,
    vehicleIds: undefined,
    vehicles: ["vehicle-1", { id: "vehicle-2", plateNumber: "WX 2" }],
  },
  "POST /inspection-templates": TEMPLATE,
  "PUT /inspection-templates/template-1": TEMPLATE,
  "POST /damages": WHOLE_DAMAGE,
  "PUT /damages/damage-1": WHOLE_DAMAGE,
  "POST /driver-assignments": {
    vehicleId: "vehicle-1",
    driver: PERSON,
    driverId: "user-1",
    assignedAt: TIME,
    note: "Nights",
  },
  "PATCH /driver-assignments/assignment-1": { note: "Nights" },
};

/** The properties that may be null, and those that are open below their name. */
const NULLABLE =
  /(?:location|regionId|storeType|openingTimes|email|productCategory|friendlyTitle|instructionImageUrl|repairedAt|reportedBy|assignedTo|vehicle|responseText|fileUrl|followUpResponses|templateItem)$/;
const OPEN = new Set(["dependsOn", "followUpResponses"]);

/** Names of references; the others are texts. */
const REFERENCE =
  /^(?:vehicleId|templateId|templateItemId|inspectionId)$|^(?:vehicle|templateItem)\.id$|^(?:vehicleIds|vehicles|groupIds)\.\d+(?:\.id)?$/;

interface Mistake {
  readonly kind: string;
  readonly path: string;
  readonly body: unknown;
}

/** Returns a body for each mistake at each property of a value, at every depth. */
function* mistakesIn(
  value: unknown,
  path: readonly string[],
  put: (changed: unknown) => unknown,
): Generator<Mistake> {
  const name = path.join(".");
  const mistake = (kind: string, changed: unknown): Mistake => ({ kind, path: name, body: put(changed) });
  if (path.length > 0) {
    yield mistake("another type", typeof value === "string" || value === null ? 5 : "text");
    const isNumber = /^\d+$/.test(path.at(-1) ?? "");
    if (!isNumber && !NULLABLE.test(path.at(-1) ?? "")) yield mistake("null", null);
    if (Array.isArray(value))
      yield mistake("an object for an array", Object.fromEntries(Object.entries(value)));
    else if (typeof value === "object") yield mistake("an array", [value]);
  }
  if (
    typeof value === "string" &&
    REFERENCE.test(path.slice(path.at(-1) === "id" || /\d/.test(path.at(-1) ?? "") ? -2 : -1).join("."))
  )
    yield mistake("an unknown reference", "nobody");
  if (typeof value !== "object" || value === null || OPEN.has(path.at(-1) ?? "")) return;
  for (const [key, inner] of Object.entries<unknown>(value as JsonObject)) {
    if (inner === undefined) continue;
    const set = (changed: object): unknown => put(Array.isArray(value) ? Object.values(changed) : changed);
    if (!Array.isArray(value)) {
      const { [key]: _, ...others } = value as JsonObject;
      yield {
        kind: "a typo",
        path: [...path, key].join("."),
        body: put({ ...others, [`${key.slice(0, -1)}x`]: inner }),
      };
    }
    yield* mistakesIn(inner, [...path, key], (changed) => set({ ...value, [key]: changed }));
  }
}

const inspectionOf = ({ ref }: Caller): string => ref.state.fleet.inspections.keys().next().value ?? "";

async function send(caller: Caller, operation: string, body: unknown) {
  const [method = "", path = ""] = operation.split(" ");
  const fill = (text: string): string => text.replaceAll("[inspection]", inspectionOf(caller));
  const { status } = await caller.send(method, fill(path), fill(JSON.stringify(body)));
  const [entry] = caller.ref.journal.violations();
  caller.ref.reset();
  return { status, issues: entry?.issues ?? [] };
}

const options = { store: { stores: 1 }, fleet: { vehicles: 3, inspections: 2, damages: 2 } };

describe.for(Object.keys(WRITES))("%s", (operation) => {
  const body = WRITES[operation] ?? {};
  const [relaxed, strict] = [new Caller(options), new Caller({ ...options, strict: true })];

  test("accepts a body with every property", async () => {
    expect((await send(relaxed, operation, body)).issues).toEqual([]);
    expect((await send(strict, operation, body)).status).toBeLessThan(300);
  });

  test("finds each mistake in it, at every depth", async () => {
    const mistakes = [...mistakesIn(body, [], (changed) => changed)];
    expect(mistakes.length).toBeGreaterThanOrEqual(3);
    const missed: string[] = [];
    for (const { kind, path, body: wrong } of mistakes) {
      const found = await send(relaxed, operation, wrong);
      const { status } = await send(strict, operation, wrong);
      if (found.issues.length === 0 || status !== 400) missed.push(`${kind} of ${path}: ${status}`);
    }
    expect(missed).toEqual([]);
  });

  test.for([[[]], [[{}]], ["text"], [5], [null]])("refuses %j instead of an object", async ([wrong]) => {
    expect(await send(relaxed, operation, wrong)).toMatchObject({ status: 400 });
  });
});
