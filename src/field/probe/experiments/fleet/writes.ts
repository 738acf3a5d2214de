import { largestPage } from "../../../routes.ts";
import { type Control, control, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, objectsIn } from "../../../../wire/json.ts";
import { type ExperimentTools, hintOf, openEntries } from "../../experiment-tools.ts";
import type { CreatedResource } from "../../sandbox.ts";
import { TEMPLATES } from "./data.ts";
import { DAMAGES, GROUPS, VEHICLES, createResource, idOf, ownResource, sandboxOf } from "./resources.ts";

/** A PUT to a resource of this run, and the values that its body leaves out; each contains the word "probe". */
interface Update {
  /** The property with a new value. */
  readonly name: string;
  /** The properties that the body repeats. */
  readonly repeated: readonly string[];
  readonly omitted: readonly string[];
}

const UPDATES: Readonly<Record<string, Update>> = {
  [VEHICLES]: { name: "plateNumber", repeated: [], omitted: ["brand", "model"] },
  [DAMAGES]: { name: "description", repeated: ["vehicleId", "status"], omitted: ["photoUrl"] },
  [TEMPLATES]: { name: "title", repeated: ["isActive"], omitted: ["description"] },
};

/** Returns the names of the properties that have a value of this run. A service may sign a URL. */
function ownIn(row: JsonObject, names: readonly string[]): string[] {
  return names.filter((name) => /probe/i.test(String(row[name])));
}

/** Reads a resource of this run. */
async function readOwn(
  tools: ExperimentTools,
  created: CreatedResource,
): Promise<readonly [Exchange, JsonObject]> {
  const { service } = sandboxOf(tools);
  if (created.list === TEMPLATES) {
    const list = await service.get(
      TEMPLATES,
      { ...largestPage(TEMPLATES), isActive: "false" },
      { fresh: true },
    );
    return [list, rowsOf(list).find(({ id }) => id === idOf(created)) ?? {}];
  }
  const exchange = await service.get(created.path, {}, { fresh: true });
  return [exchange, dataOf(exchange)];
}

/** Changes the vehicle of this run, and reads it before and after. */
async function changeVehicle(tools: ExperimentTools, body: JsonObject) {
  const created = await ownResource(tools, VEHICLES);
  const put = await sandboxOf(tools).change("PUT", created, body);
  const [after, row] = await readOwn(tools, created);
  return { before: created.exchange, put, after, row };
}

interface Kept {
  readonly kept: number;
  readonly of: number;
}

/** Sends a PUT that leaves out some properties. */
async function putSome(
  tools: ExperimentTools,
  list: string,
  { name, repeated, omitted }: Update,
): Promise<ExperimentResult<Kept>> {
  const created = await ownResource(tools, list);
  // the first round asks as little as possible
  const isFirst = tools.round === 1;
  const [before, set] = isFirst
    ? [created.exchange, dataOf(created.exchange)]
    : await readOwn(tools, created);
  const value = `${tools.marker}-2`;
  const same = Object.entries(created.body).filter(([property]) => repeated.includes(property));
  const put = await sandboxOf(tools).change("PUT", created, { ...Object.fromEntries(same), [name]: value });
  const [after, row] = await readOwn(tools, created);
  const isSet = ownIn(set, omitted).length === omitted.length;
  const isNew = isOk(put) && row[name] === value;
  return keptBy(list, { kept: ownIn(row, omitted).length, of: omitted.length }, [
    control("the resource has the properties", isSet, before),
    control("the PUT changes the property", isNew, put),
    succeeds(after),
  ]);
}

/** Sends a PUT without the only known property of a group, and then one that changes it. */
async function putNothing(tools: ExperimentTools): Promise<ExperimentResult<Kept>> {
  const created = await ownResource(tools, GROUPS);
  const name = `${tools.marker}-2`;
  const empty = await sandboxOf(tools).change("PUT", created, {});
  const [after, left] = await readOwn(tools, created);
  const put = await sandboxOf(tools).change("PUT", created, { name });
  // a cache would return the same response
  const [again, row] = await readOwn(tools, created);
  return keptBy(GROUPS, { kept: ownIn(left, ["name"]).length, of: 1 }, [
    control("another PUT changes the name", isOk(put) && row.name === name, again),
    succeeds(after),
    succeeds(empty),
  ]);
}

function keptBy(
  list: string,
  observed: Kept,
  controls: readonly [Control, ...Control[]],
): ExperimentResult<Kept> {
  const reason = `A PUT to ${list} kept ${observed.kept} of ${observed.of} properties that it left out.`;
  return observation(list, observed, reason, controls);
}

export const putMeaning = experiment({
  gap: "fleet.put",
  cost: 2,
  after: ["fleet.deleted-resources"],
  needs: "vehicles, groups, damages and templates that can be created in the sandbox and show what was sent",
  assumes: "A PUT treats all properties of a resource in the same way.",
  parts: [...Object.keys(UPDATES), GROUPS],
  observe: async function* observe(tools) {
    for (const [list, update] of openEntries(tools, UPDATES)) {
      yield putSome(tools, list, update);
      // the first round asks as little as possible
      if (tools.round === 1) return;
    }
    if (!tools.isSeen(GROUPS)) yield putNothing(tools);
  },
  readings: { replace: { kept: 0 }, merge: ({ kept, of }) => kept === of },
});

/** Returns a template from the response, or otherwise from the list. */
async function templateIn(
  tools: ExperimentTools,
  created: CreatedResource,
  exchange: Exchange,
): Promise<JsonObject> {
  const data = dataOf(exchange);
  if (typeof data.version === "number") return data;
  const [, row] = await readOwn(tools, created);
  return row;
}

const CHANGED = "Changed by a probe";

/** A part of the question: a PUT that also changes the items. */
const ITEMS = "items";

/** Returns the items of an existing template, in later rounds. */
async function otherItems(tools: ExperimentTools): Promise<JsonObject[]> {
  // the first round asks as little as possible
  if (tools.round === 1) return [];
  const rows = rowsOf(await sandboxOf(tools).service.get(TEMPLATES, largestPage(TEMPLATES)));
  const all = rows.map(({ items }) => objectsIn(items)).find((items) => items.length > 0) ?? [];
  // a service would give an item without an ID another one in each PUT
  return all.slice(0, 1).map((item) => ({ ...item, id: tools.uuid() }));
}

export const versionAfterPut = experiment({
  gap: "templates.version-after-put",
  cost: 3.5,
  needs: "a template that can be created and changed in the sandbox, and another one with items",
  parts: [ITEMS],
  assumes: "No other client changes the template.",
  observe: async function* observe(tools) {
    const created = await createResource(tools, TEMPLATES);
    const first = await templateIn(tools, created, created.exchange);
    const items = await otherItems(tools);
    const changed = {
      ...created.body,
      title: `${String(created.body.title)}-2`,
      description: CHANGED,
      items,
    };
    const put = async (): Promise<readonly [Exchange, JsonObject]> => {
      const exchange = await sandboxOf(tools).change("PUT", created, changed);
      return [exchange, isOk(exchange) ? await templateIn(tools, created, exchange) : {}];
    };
    const [other, second] = await put();
    // a version that no change raises is not raised by an equal PUT
    const stays = second.version === first.version && second.description === CHANGED;
    const [same, third] = stays && tools.round === 1 ? [other, second] : await put();
    const [before, between, after] = [first, second, third].map(({ version }) => version);
    if (typeof before !== "number" || typeof between !== "number" || typeof after !== "number")
      throw new Missing("a template that shows its version after a PUT");
    const observed = { byOther: between - before, bySame: after - between };
    const reason = `An equal PUT raised a template's version by ${observed.bySame}, another one by ${observed.byOther}.`;
    const isChanged = control(
      "the version is that of the changed template",
      third.description === CHANGED,
      created.exchange,
    );
    const subject = items.length > 0 ? ITEMS : created.path;
    yield observation(subject, observed, reason, [isChanged, succeeds(same), succeeds(other)]);
  },
  readings: {
    stays: { bySame: 0, byOther: 0 },
    "each-put": { bySame: 1, byOther: 1 },
    "changes-only": { bySame: 0, byOther: 1 },
  },
});

const KEEPING = "a vehicle of the sandbox whose update keeps what it leaves out";

export const nullProperties = experiment({
  gap: "fleet.null-properties",
  cost: 2,
  after: ["fleet.put"],
  needs: KEEPING,
  assumes: "All updates that keep what is left out treat null in the same way.",
  // the documented properties of damages and templates are shown in the same way if they are null and if they are removed
  parts: [VEHICLES, "a damage", "a template"],
  observe: async function* observe(tools) {
    if (hintOf(tools, "fleet.put") === "replace") throw new Missing(KEEPING);
    const sent = `${tools.marker}-3`;
    const { before, put, after, row } = await changeVehicle(tools, { plateNumber: sent, vin: null });
    const { vin, brand, plateNumber } = row;
    const reason = `After an update with null the property is ${vin === null ? "null" : "not null"}.`;
    const isSet = control("the POST sets the property", typeof dataOf(before).vin === "string", before);
    const isKept = control("the update keeps what it leaves out", brand === "Probe" && plateNumber === sent);
    yield observation(VEHICLES, { vin }, reason, [isSet, isKept, succeeds(after), succeeds(put)]);
  },
  readings: { stored: { vin: null }, removed: { vin: undefined } },
});
