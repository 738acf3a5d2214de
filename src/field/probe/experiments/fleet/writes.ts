import { pathSegment } from "../../../../wire/path-segment.ts";
import { FLEET_PATHS, largestPage } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { type ExperimentTools, hintOf } from "../../experiment-tools.ts";
import type { CreatedResource, Sandbox } from "../../sandbox.ts";
import { TEMPLATES } from "./data.ts";

/** @throws {Missing} if the run may not write to the sandbox */
export function sandboxOf({ sandboxWrites }: ExperimentTools): Sandbox {
  if (sandboxWrites === undefined) throw new Missing("a key of the sandbox");
  return sandboxWrites;
}

export const VEHICLES = FLEET_PATHS.vehicles;

/** Returns the body of a vehicle that no other one equals. */
export function vehicle(tools: ExperimentTools): JsonObject {
  const vin = tools.uuid().replaceAll("-", "").slice(0, 17).toUpperCase();
  return { plateNumber: tools.marker, brand: "Probe", model: "Probe", vin, type: "TRACTOR_UNIT" };
}

/** Returns a vehicle of this run, once in a round. fleet.deleted-resources also creates one. */
function ownVehicle(tools: ExperimentTools): Promise<CreatedResource> {
  return tools.once("vehicle", () => sandboxOf(tools).create(VEHICLES, vehicle(tools)));
}

/** Changes that vehicle, and reads it before and after. */
async function changeVehicle(tools: ExperimentTools, body: JsonObject) {
  const sandbox = sandboxOf(tools);
  const created = await ownVehicle(tools);
  const put = await sandbox.change("PUT", created, body);
  const after = await sandbox.service.get(created.path, {}, { fresh: true });
  return { path: created.path, before: created.exchange, put, after };
}

/** Returns how many of the brand and the model of `vehicle` a response shows. */
function countKept(exchange: Exchange): number {
  return ["brand", "model"].filter((name) => dataOf(exchange)[name] === "Probe").length;
}

export const putMeaning = experiment({
  gap: "fleet.put",
  cost: 2,
  after: ["fleet.deleted-resources"],
  needs: "a vehicle that can be created in the sandbox and shows what was sent",
  assumes: "All resources are changed in the same way.",
  observe: async function* observe(tools) {
    const plateNumber = `${tools.marker}-2`;
    const { path, before, put, after } = await changeVehicle(tools, { plateNumber });
    const kept = countKept(after);
    const reason = `A PUT of one property kept ${kept} of two others.`;
    const isSet = control("the POST sets the properties", countKept(before) === 2, before);
    const isNew = isOk(put) && dataOf(after).plateNumber === plateNumber;
    const isChanged = control("the PUT changes the property", isNew, put);
    yield observation(path, kept, reason, [isSet, isChanged, succeeds(after)]);
  },
  readings: { replace: 0, merge: 2 },
});

/** Returns a template from the response, or otherwise from the list. */
async function templateIn(
  sandbox: Sandbox,
  created: CreatedResource,
  exchange: Exchange,
): Promise<JsonObject> {
  const data = dataOf(exchange);
  if (typeof data.version === "number") return data;
  const query = { ...largestPage(TEMPLATES), isActive: "false" };
  const list = await sandbox.service.get(TEMPLATES, query, { fresh: true });
  return rowsOf(list).find(({ id }) => created.path.endsWith(`/${pathSegment(String(id))}`)) ?? {};
}

const CHANGED = "Changed by a probe";

export const versionAfterPut = experiment({
  gap: "templates.version-after-put",
  cost: 3.5,
  needs: "a template that can be created and changed in the sandbox",
  assumes: "No other client changes the template.",
  observe: async function* observe(tools) {
    const sandbox = sandboxOf(tools);
    const body = { title: tools.marker, description: "Made by a probe", isActive: false, items: [] };
    const created = await sandbox.create(TEMPLATES, body);
    const first = await templateIn(sandbox, created, created.exchange);
    const changed = { ...body, description: CHANGED };
    const put = async (): Promise<readonly [Exchange, JsonObject]> => {
      const exchange = await sandbox.change("PUT", created, changed);
      return [exchange, isOk(exchange) ? await templateIn(sandbox, created, exchange) : {}];
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
    yield observation(created.path, observed, reason, [isChanged, succeeds(same), succeeds(other)]);
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
  observe: async function* observe(tools) {
    if (hintOf(tools, "fleet.put") === "replace") throw new Missing(KEEPING);
    const sent = `${tools.marker}-3`;
    const { path, before, put, after } = await changeVehicle(tools, { plateNumber: sent, vin: null });
    const { vin, brand, plateNumber } = dataOf(after);
    const reason = `After an update with null the property is ${vin === null ? "null" : "not null"}.`;
    const isSet = control("the POST sets the property", typeof dataOf(before).vin === "string", before);
    const isKept = control("the update keeps what it leaves out", brand === "Probe" && plateNumber === sent);
    yield observation(path, { vin }, reason, [isSet, isKept, succeeds(after), succeeds(put)]);
  },
  readings: { stored: { vin: null }, removed: { vin: undefined } },
});
