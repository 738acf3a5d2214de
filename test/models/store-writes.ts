/** The writes of the store model, expositions excepted. */
import {
  email,
  flag,
  integer,
  type Issue,
  list,
  matching,
  nullable,
  object,
  oneOf,
  text,
  uuid,
} from "./checks.ts";
import type { Json, JsonObject, ModelResponse } from "./exchange.ts";
import type { StoreReadings } from "./readings.ts";
import {
  applyCall,
  type BodyCheck,
  checkBody,
  effective,
  elementsOf,
  type KeyOf,
  listCheck,
} from "./store-bodies.ts";
import {
  type Contact,
  defaultScheduleId,
  type Expectation,
  expositionTypes,
  nextId,
  productCategories,
  type Store,
  type StoreRecord,
  storeTypes,
} from "./store-state.ts";
import { contactView, expectationView, storeView } from "./store-views.ts";
import { type RecordCall, type StoreCall, type StoreWorld, success } from "./store-world.ts";

const weekday = integer(0, 6);
const openingTime = object({ "weekday!": weekday, "from!": text, "to!": text });

const storeUpsert = object({
  externalId: text,
  name: text,
  location: nullable(text),
  regionId: nullable(uuid),
  storeType: nullable(oneOf(storeTypes)),
  openingTimes: nullable(list(openingTime)),
  protocolScheduleId: uuid,
  protocolCronEnabled: flag,
  onboardingComplete: flag,
  loginCode: text,
});

const contactList = object({
  "contacts!": list(
    object({
      contactType: oneOf(["store", "regional_manager"]),
      "name!": text,
      "phone!": text,
      email: nullable(email),
      hasWhatsapp: flag,
    }),
  ),
});

const expectationList = object({
  "expectations!": list(
    object({
      "productCategory!": nullable(oneOf(productCategories)),
      "displayType!": oneOf(expositionTypes),
      "weekday!": weekday,
      "protocolTime!": matching(/^([01]\d|2[0-3]):[0-5]\d$/),
      "expectedFillRatio!": integer(0, 100),
    }),
  ),
});

const contactKey: KeyOf = ({ phone }) => JSON.stringify(phone);

const expectationKey: KeyOf = ({ displayType, productCategory, weekday: on, protocolTime }) =>
  JSON.stringify([displayType, productCategory, on, protocolTime]);

export const checkContacts = listCheck(contactList, "contacts", contactKey);
export const checkExpectations = listCheck(expectationList, "expectations", expectationKey);

type ContactInput = Pick<Contact, "name" | "phone"> & Partial<Contact>;
type ExpectationInput = Omit<Expectation, "expectationId" | "updatedAt">;
// Stores

/** The properties that each reading of `stores.create-requirements` requires. */
const createRequirements: Record<StoreReadings["stores.create-requirements"], readonly string[]> = {
  "none-required": [],
  "non-null-fields": ["name", "protocolScheduleId", "protocolCronEnabled", "onboardingComplete", "loginCode"],
  "name-only": ["name"],
};

const updatable = [
  "name",
  "location",
  "regionId",
  "storeType",
  "openingTimes",
  "protocolScheduleId",
  "protocolCronEnabled",
  "onboardingComplete",
  "loginCode",
] as const satisfies readonly (keyof Store)[];

function missingIssues(body: JsonObject, properties: readonly string[]): Issue[] {
  return properties
    .filter((property) => body[property] === undefined)
    .map((property) => ({ path: property, message: "is required", code: "invalid_type" }));
}

function idIssues(world: StoreWorld, body: JsonObject, pathId: string): Issue[] {
  const id = body["externalId"];
  if (typeof id !== "string" || id === pathId) return [];
  const reading = world.readings["stores.body-external-id"];
  const isTaken = reading === "renames" && world.byExternalId.has(id);
  if (reading !== "rejected" && !isTaken) return [];
  return [{ path: "externalId", message: isTaken ? "is taken" : "differs from the path", code: "custom" }];
}

export const checkStore: BodyCheck = (body, world, path) => {
  const { readings } = world;
  const issues = checkBody(storeUpsert, body, readings);
  if (issues.length > 0) return issues;
  // the check found an object
  const properties = body as JsonObject;
  const pathId = path["externalId"] ?? "";
  const isNew = !world.byExternalId.has(pathId);
  const complete = readings["stores.omitted-fields"] === "reject" ? updatable : [];
  if (properties["storeType"] === null && readings["stores.null-store-type"] === "rejected") {
    issues.push({ path: "storeType", message: "must not be null", code: "invalid_type" });
  }
  issues.push(
    ...missingIssues(
      properties,
      isNew ? createRequirements[readings["stores.create-requirements"]] : complete,
    ),
  );
  return [...issues, ...idIssues(world, properties, pathId)];
};

/** Under `plain` an external ID has only characters that a path holds unencoded (RFC 3986, pchar). */
export function checkExternalId(path: StoreCall["path"], world: StoreWorld): Issue[] {
  if (world.readings["stores.external-id-characters"] === "any") return [];
  const isPlain = /^[\w.~!$&'()*+,;=:@-]+$/.test(path["externalId"] ?? "");
  return isPlain
    ? []
    : [{ path: "externalId", message: "has a character that is not allowed", code: "custom" }];
}

function blankStore(storeId: string, externalId: string): Store {
  return {
    storeId,
    externalId,
    name: externalId,
    location: null,
    regionId: null,
    storeType: null,
    openingTimes: [],
    protocolScheduleId: defaultScheduleId,
    protocolCronEnabled: false,
    onboardingComplete: false,
    loginCode: storeId.slice(0, 6),
  };
}

function createRecord(world: StoreWorld, externalId: string): StoreRecord {
  const store = blankStore(nextId(world.state), externalId);
  const record = { place: externalId, store, contacts: [], expectations: [], expositions: [], protocols: [] };
  world.state.stores.push(record);
  world.byExternalId.set(externalId, record);
  world.rows = undefined;
  return record;
}

function rename(world: StoreWorld, record: StoreRecord, externalId: string): void {
  if (record.store.externalId === externalId) return;
  world.byExternalId.delete(record.store.externalId ?? "");
  world.byExternalId.set(externalId, record);
  world.rows = undefined;
  record.store.externalId = externalId;
  record.place = externalId;
}

/** The properties that a body changes, with the meaning of `openingTimes: null` applied. */
function changesOf(body: JsonObject, readings: StoreReadings): Partial<Store> {
  const given = updatable.filter((property) => body[property] !== undefined);
  const changes: Record<string, Json | undefined> = Object.fromEntries(
    given.map((property) => [property, body[property]]),
  );
  if (changes["openingTimes"] === null) {
    delete changes["openingTimes"];
    if (readings["stores.null-opening-times"] === "clears") changes["openingTimes"] = [];
  }
  return changes;
}

export function putStore(world: StoreWorld, call: StoreCall): ModelResponse {
  const { readings } = world;
  const pathId = call.path["externalId"] ?? "";
  const record = world.byExternalId.get(pathId) ?? createRecord(world, pathId);
  const keepsTimes = call.body["openingTimes"] === null && readings["stores.null-opening-times"] === "keeps";
  const { openingTimes, storeId } = record.store;
  if (readings["stores.omitted-fields"] === "reset") Object.assign(record.store, blankStore(storeId, pathId));
  Object.assign(record.store, structuredClone(changesOf(call.body, readings)));
  if (keepsTimes) record.store.openingTimes = openingTimes;
  const bodyId = call.body["externalId"];
  if (readings["stores.body-external-id"] === "renames" && typeof bodyId === "string")
    rename(world, record, bodyId);
  applyCall(world, call);
  return success(storeView(record.store));
}

// Contacts and expectations

/** Takes the stored element over that equals the new one, if the reading keeps IDs and times. */
function keepOrCreateId<T extends object>(
  stored: T[],
  fresh: T,
  own: readonly (keyof T)[],
  readings: StoreReadings,
): T {
  if (readings["lists.ids-after-replace"] === "new") return fresh;
  const bare = (element: T): string =>
    JSON.stringify(Object.entries(element).filter(([name]) => !own.includes(name as keyof T)));
  const index = stored.findIndex((element) => bare(element) === bare(fresh));
  return index === -1 ? fresh : (stored.splice(index, 1)[0] ?? fresh);
}

export function contactListOf(world: StoreWorld, record: StoreRecord): ModelResponse {
  const items = record.contacts.map((contact) => contactView(contact, world.readings));
  return success({ externalId: record.store.externalId, items });
}

export function replaceContacts(world: StoreWorld, call: RecordCall): ModelResponse {
  const { readings, state } = world;
  const stored = [...call.record.contacts];
  call.record.contacts = effective(elementsOf(call.body, "contacts"), contactKey, readings).map((input) => {
    // the body check found these types
    const {
      contactType = "store",
      name,
      phone,
      email: emailAddress = null,
      hasWhatsapp = false,
    } = input as unknown as ContactInput;
    const contactId = nextId(state);
    const contact = {
      contactId,
      contactType,
      name,
      phone,
      email: emailAddress,
      hasWhatsapp,
      createdAt: world.now(),
    };
    return keepOrCreateId(stored, contact, ["contactId", "createdAt"], readings);
  });
  applyCall(world, call);
  return contactListOf(world, call.record);
}

export function expectationListOf(world: StoreWorld, record: StoreRecord): ModelResponse {
  const items = record.expectations.map((expectation) => expectationView(expectation, world.readings));
  return success({ externalId: record.store.externalId ?? "", items });
}

export function replaceExpectations(world: StoreWorld, call: RecordCall): ModelResponse {
  const { readings, state } = world;
  const stored = [...call.record.expectations];
  call.record.expectations = effective(elementsOf(call.body, "expectations"), expectationKey, readings).map(
    (input) => {
      // the body check found these types
      const {
        productCategory,
        displayType,
        weekday: on,
        protocolTime,
        expectedFillRatio,
      } = input as unknown as ExpectationInput;
      const slot = { productCategory, displayType, weekday: on, protocolTime, expectedFillRatio };
      const expectation = { expectationId: nextId(state), ...slot, updatedAt: world.now() };
      return keepOrCreateId(stored, expectation, ["expectationId", "updatedAt"], readings);
    },
  );
  applyCall(world, call);
  return expectationListOf(world, call.record);
}
