/** Changes entities by functions that read before they write, and checks what the service has afterwards. */
import { isDeepStrictEqual } from "node:util";
import {
  ensure,
  type EnsureResult,
  type ExpositionInput,
  type StoreClient,
  upsertExpositions,
} from "../../src/index.ts";
import type { ExpositionWriter } from "../../src/client/store/upsert-expositions.ts";
import type { FleetState } from "../models/fleet-state.ts";
import type { StoreRecord, StoreState } from "../models/store-state.ts";
import { checkMessage, endOf, logEnding, planAbort } from "./calls.ts";
import type { SimulatedWorld } from "./client.ts";
import { checkEnsure, ensuredKey } from "./ensure-model.ts";
import { callHeader, type Exchange } from "./observer.ts";
import { beginStep, factsOf, judge } from "./rules.ts";
import type { JsonObject, WriteStep } from "./scenario.ts";
import { storeId } from "./store-data.ts";
import { changeItems, checkModify, checkUpsert, isSameExposition } from "./write-model.ts";
import type { EnsurableResource } from "../../src/client/fleet/ensure-run.ts";

export async function runWrite(
  world: SimulatedWorld,
  client: object,
  step: WriteStep,
  name: string,
): Promise<void> {
  const abort = planAbort(world, step.abort);
  let isUndisturbed = false;
  for (const round of step.again === true ? ["a", "b"] : ["a"]) {
    const call = `${name}.${round}`;
    const begun = beginStep(world, step, call);
    const record = world.observer.start(call, { repeatable: true, parallel: 4, isWalk: true });
    const before = structuredClone(world.service.state);
    const first = world.service.applications.length;
    const ending = await endOf(
      write(world, client, step, { headers: { [callHeader]: call }, signal: abort.signal }),
    );
    world.observer.finish(record);
    logEnding(world.observer, call, ending);
    const error = "error" in ending ? ending.error : undefined;
    const value = "error" in ending ? undefined : ending.value;
    const applied = world.service.applications.slice(first).filter((one) => one.call === call);
    const after = world.service.state;
    const others = world.scenario.programs.flat().filter((one) => one.do === "write");
    const problems = examine(step, { before, after, value, error, others });
    if (isUndisturbed && applied.length > 0) problems.push("writes again what was done");
    judge(world, begun, problems, error);
    const own = world.observer.exchanges.filter((one) => one.call === call);
    if (step.method.endsWith(".modify") && !isUpperOrDeep(step) && abort.at === undefined)
      for (const problem of checkModify(step, own, ending)) world.observer.violate(`${call} ${problem}`);
    if (step.method.endsWith(".modify"))
      for (const problem of findOvertaken(call, world.observer.exchanges)) world.observer.violate(problem);
    if (step.method === "upsertExpositions" && abort.at === undefined && isMatched(world))
      for (const problem of checkUpsert(step, own, ending)) world.observer.violate(`${call} ${problem}`);
    if (step.method === "ensure" && abort.at === undefined && !world.observer.isGarbled)
      for (const problem of checkEnsure(step, own, (value ?? []) as EnsureResult<JsonObject>[]))
        world.observer.violate(`${call} ${problem}`);
    checkMessage(world.observer, call, error);
    const { faults, changes } = factsOf(world, begun);
    isUndisturbed = faults.length + changes.length === 0;
    if (error !== undefined) return;
  }
}

/** A change that was read before another change of the same client was written would undo it. */
function findOvertaken(call: string, exchanges: readonly Exchange[]): string[] {
  const pathOf = ({ request }: Exchange): string => request.split(" ")[1] ?? "";
  return exchanges.flatMap((exchange, at) => {
    if (exchange.call !== call || !exchange.request.startsWith("PUT ")) return [];
    const same = exchanges.slice(0, at).filter((one) => pathOf(one) === pathOf(exchange));
    const read = same.findLastIndex((one) => one.call === call && one.request.startsWith("GET "));
    const other = same
      .slice(read + 1)
      .find((one) => one.request.startsWith("PUT ") && one.call.startsWith("write-") && one.call !== call);
    return read < 0 || other === undefined ? [] : [`${call} writes what it read before ${other.call} wrote`];
  });
}

/** The client has no reading that names other properties than label and type. */
function isMatched({ scenario, service }: SimulatedWorld): boolean {
  const hasReading = scenario.client.configuredGaps.includes("expositions.matching");
  return !hasReading && service.readings["lists.duplicates"] !== "kept";
}

/** The model of `modify` knows one spelling of an ID, and no input that a client refuses. */
function isUpperOrDeep({ isUpper, desired, how, method }: WriteStep): boolean {
  const isRefused = how === "remove" && method === "expositions.modify";
  return isUpper === true || isRefused || JSON.stringify(desired).includes("[".repeat(500));
}

async function write(
  { clock, observer }: SimulatedWorld,
  client: object,
  step: WriteStep,
  options: object,
): Promise<unknown> {
  const { absent, isUpper } = step;
  const store = client as StoreClient; // the method decides about the client
  const id = isUpper === true ? storeId(0).toLowerCase() : storeId(0);
  const desired = withOmitted(step);
  const [change = {}] = desired;
  const isAsync = step.isAsync === true;
  let before = 0;
  const onChunk = async ({ done, total }: { done: number; total: number }): Promise<void> => {
    if (done <= before || done > Math.min(before + 500, total)) throw new RangeError(`${done} of ${total}`);
    before = done;
    const sent = observer.exchanges.length;
    await clock.sleep(5);
    if (observer.exchanges.length > sent) observer.violate("a chunk was sent before `onChunk` was done");
  };
  switch (step.method) {
    case "stores.modify":
      return store.stores.modify(id, () => (isAsync ? Promise.resolve(change) : change), options);
    case "contacts.modify":
    case "expectations.modify":
    case "expositions.modify": {
      const [list = ""] = step.method.split(".");
      const resource = (client as Readonly<Record<string, ModifiedList>>)[list] as ModifiedList; // a list of stores
      const modify = (all: readonly object[]): object[] => changeItems({ ...step, desired }, all);
      return resource.modify(id, (all) => (isAsync ? Promise.resolve(modify(all)) : modify(all)), options);
    }
    case "upsertExpositions": {
      const expositions = desired as readonly unknown[] as ExpositionInput[]; // scenarios write expositions
      return upsertExpositions(client as ExpositionWriter, id, expositions, { ...options, absent, onChunk });
    }
    case "ensure": {
      const { vehicles } = client as { readonly vehicles: EnsurableResource<JsonObject> };
      const { key = "plateNumber", dryRun } = step;
      return ensure(vehicles, desired, { ...options, key, dryRun });
    }
  }
}

/** Adds a property that is undefined to the input. */
function withOmitted({ desired, omitted }: WriteStep): JsonObject[] {
  if (omitted === undefined) return [...desired];
  return desired.map((one) => ({ ...one, [omitted]: undefined }) as never); // as a program may write it
}

interface ModifiedList {
  modify(id: string, change: (all: readonly object[]) => unknown, options: object): Promise<unknown>;
}

interface Written {
  readonly before: object;
  readonly after: object;
  readonly value: unknown;
  readonly error: unknown;
  /** The writes of all programs. */
  readonly others: readonly WriteStep[];
}

function examine(step: WriteStep, written: Written): string[] {
  if (step.method === "ensure") return examineVehicles(step, written);
  const [before, after] = [written.before as StoreState, written.after as StoreState].map(
    ({ stores }) => stores,
  ) as [StoreRecord[], StoreRecord[]];
  const problems = [];
  if (!isDeepStrictEqual(before.slice(1), after.slice(1))) problems.push("changed another store");
  const first = before[0] as StoreRecord; // scenarios have a store
  const [was, is] = [first, after[0] ?? first].map(comparable);
  const apply = (steps: readonly WriteStep[]): StoreRecord =>
    comparable(steps.reduce((record, one) => expect(one, record), first));
  // each other program may have made its change before or after
  const others = written.others.filter((one) => one.desired !== step.desired);
  const some = others.reduce<WriteStep[][]>(
    (all, one) => [...all, ...all.map((made) => [...made, one])],
    [[]],
  );
  const isLeft = (steps: readonly WriteStep[]): boolean => isDeepStrictEqual(is, apply(steps));
  const wanted = apply([step, ...(some.find((made) => isLeft([step, ...made])) ?? [])]);
  const untouched = apply(some.find((made) => isLeft(made)) ?? []);
  if (written.error === undefined && !isDeepStrictEqual(is, wanted))
    problems.push(`left the store with ${difference(is, wanted)}`);
  const isPossible = [wanted, was, untouched].some((one) => isDeepStrictEqual(is, one));
  if (written.error !== undefined && !isPossible && !isBetween(step, is))
    problems.push(`failed and left the store with ${difference(is, was)}`);
  return problems;
}

/** Several requests may have been made in part. No element is there twice. */
function isBetween({ method }: WriteStep, record: StoreRecord | undefined): boolean {
  const keys = record?.expositions.map(({ label, expositionType }) => `${label} ${expositionType}`) ?? [];
  return method === "upsertExpositions" && new Set(keys).size === keys.length;
}

/** The properties of an element that the service sets. */
const elementDefaults = {
  contacts: { contactId: "", createdAt: 0, contactType: "store", email: null, hasWhatsapp: false },
  expectations: { expectationId: "", updatedAt: 0, productCategory: null },
  expositions: { expositionId: "", status: "active", friendlyTitle: null },
} as const;

/** The store as the step describes it. */
function expect(step: WriteStep, before: StoreRecord): StoreRecord {
  const { method } = step;
  // a property that is undefined is not sent
  const desired = JSON.parse(JSON.stringify(withOmitted(step))) as JsonObject[];
  const record = structuredClone(before);
  const [change = {}] = desired;
  if (method === "stores.modify") Object.assign(record.store, change);
  else if (method.endsWith(".modify")) {
    const list = method.split(".")[0] as "contacts" | "expectations" | "expositions";
    const defaults: object = elementDefaults[list];
    const items = changeItems({ ...step, desired }, record[list] as object[]);
    Object.assign(record, { [list]: items.map((item) => ({ ...defaults, ...item })) });
  } else for (const one of desired) expectExposition(record, one);
  return record;
}

function expectExposition({ expositions }: StoreRecord, desired: JsonObject): void {
  const stored = expositions.find((one) => isSameExposition({ ...one }, desired));
  if (stored !== undefined)
    Object.assign(stored, desired); // what is omitted stays
  else expositions.push({ expositionId: "", status: "active", friendlyTitle: null, ...desired } as never);
}

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** Without the properties that the service decides about, and with UUIDs in lower case: they are equal in either. */
function comparable(given: StoreRecord): StoreRecord {
  const text = JSON.stringify(given).replaceAll(uuid, (id) => id.toLowerCase());
  const record = JSON.parse(text) as StoreRecord; // a record consists of JSON values
  return {
    ...record,
    contacts: record.contacts.map((one) => ({ ...one, contactId: "", createdAt: 0 })),
    expectations: record.expectations.map((one) => ({ ...one, expectationId: "", updatedAt: 0 })),
    expositions: record.expositions
      .map((one) => ({ ...one, expositionId: "" }))
      .toSorted((one, other) => (one.label < other.label ? -1 : 1)),
  };
}

function difference(is: object | undefined, wanted: object | undefined): string {
  const parts = Object.entries(wanted ?? {}).filter(
    ([name, value]) => !isDeepStrictEqual(value, (is as Readonly<Record<string, unknown>>)[name]),
  );
  const text = JSON.stringify(parts.map(([name]) => [name, (is as Readonly<Record<string, unknown>>)[name]]));
  return `${text}, expected ${JSON.stringify(parts)}`.slice(0, 800);
}

function examineVehicles(step: WriteStep, { before, after, value, error }: Written): string[] {
  const problems = [];
  const { desired } = step;
  const vehicles = (state: object) =>
    (state as FleetState).entities.vehicles.filter(({ deleted }) => !deleted);
  const results = (value ?? []) as readonly EnsureResult<JsonObject>[];
  if (error === undefined && results.length !== desired.length) problems.push("has too few results");
  for (const [at, wanted] of desired.entries()) {
    const name = ensuredKey(step, wanted);
    const fitting = (state: object) =>
      vehicles(state).filter(({ properties }) => ensuredKey(step, properties) === name);
    const [found, ...more] = fitting(after);
    if (more.length > 0 && fitting(before).length < 2) problems.push(`created ${name} twice`);
    const outcome = results[at]?.outcome;
    if (outcome !== "done" && outcome !== "unchanged") continue;
    const [known] = fitting(before);
    const expected = { ...known?.properties, ...wanted };
    const kept = Object.keys(expected).every((key) =>
      isDeepStrictEqual(found?.properties[key], expected[key]),
    );
    if (!kept)
      problems.push(
        `reports ${outcome}: ${JSON.stringify(found?.properties)}, expected ${JSON.stringify(expected)}`,
      );
  }
  return problems;
}
