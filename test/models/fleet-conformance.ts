/** The reference server with the data, keys and readings of a model of the fleet API. */
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import { differIn } from "./agreement.ts";
import { isObject, type Json, type JsonObject } from "./exchange.ts";
import { createFleetModel, type FleetModel, type FleetModelOptions } from "./fleet-model.ts";
import { type FleetObservation, type FleetRequest, fleetSender } from "./fleet-observations.ts";
import type { GivenReadings } from "./readings.ts";
import { type Observed, propertyOf } from "./store-observations.ts";

const now = "2026-06-15T12:00:00.000Z";

/** The option of the reference server for each list. */
const collections = {
  vehicles: "vehicles",
  vehicleGroups: "vehicle-groups",
  vehicleFields: "vehicle-fields",
  inspections: "inspections",
  inspectionTemplates: "inspection-templates",
  damages: "damages",
  driverAssignments: "driver-assignments",
};

/** The rows that a client reads from a service with these data. */
function rowsOf(options: FleetModelOptions): object {
  const send = fleetSender(createFleetModel(options));
  const read = (path: string): Json => propertyOf(send("GET", `/${path}?limit=100`), "data");
  return Object.fromEntries(Object.entries(collections).map(([option, path]) => [option, read(path)]));
}

interface Exchange extends FleetRequest {
  readonly method: string;
  readonly path: string;
  readonly response: Observed;
}

async function sendTo(ref: ReferenceServer, model: FleetModel, exchange: Exchange): Promise<Observed> {
  const {
    method,
    path,
    body,
    text: sent = body && JSON.stringify(body),
    key = model.key,
    headers,
  } = exchange;
  const response = await ref.fetch(ref.sandboxUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.text();
  return { status: response.status, value: text === "" ? "" : (JSON.parse(text) as Json) }; // the server sends JSON
}

/** Sends requests to a model, then to a reference server with its data. Returns where the responses differ. */
export async function compareFleets(
  options: FleetModelOptions & { readings: GivenReadings },
  observe: FleetObservation["observe"],
): Promise<string[]> {
  const given = { ...options, now: () => Date.parse(now) };
  const model = createFleetModel(given);
  const seeded = JSON.stringify(model.state);
  const exchanges: Exchange[] = [];
  const send = fleetSender(model);
  observe((method, path, request = {}) => {
    const response = send(method, path, request);
    exchanges.push({ ...request, method, path, response });
    return response;
  }, model);
  const keys = model.state.keys.map(({ key, scopes }) => ({ key, scopes: scopes as never[] })); // some are unknown
  const { readings } = options;
  const ofValues = Object.entries(readings).filter(([gap]) => gap.endsWith("-values"));
  const fleet = { keys, ...rowsOf({ ...given, readings: Object.fromEntries(ofValues) }) };
  const ref = createReferenceServer({ now, readings, store: { stores: 0 }, fleet });
  const differences: string[] = [];
  for (const exchange of exchanges) {
    const found = differ(await sendTo(ref, model, exchange), exchange, seeded);
    differences.push(...found.map((difference) => `${exchange.method} ${exchange.path}: ${difference}`));
  }
  return differences;
}

/** The lists whose elements the contract shows. */
const isShown = /^\/(?:inspections|damages|inspection-templates|vehicle-fields)(?:$|\?)/;

function differ(mock: Observed, { method, path, response: model }: Exchange, seeded: string): string[] {
  if (mock.status !== model.status) return [`status ${mock.status}, model ${model.status}`];
  if (mock.status >= 400) {
    const [one, other] = [errorOf(mock), errorOf(model)];
    return one === other ? [] : [`error ${one}, model ${other}`];
  }
  // rows have no responses for the vehicles of a field; what a DELETE returns, and what else a write changes, is not shown
  if (
    method === "DELETE" ||
    path.endsWith("/vehicles") ||
    /^P.* \/(?:inspections|damages)\//.test(`${method} ${path}`)
  )
    return [];
  const isOpen = (): boolean => method !== "GET" || !isShown.test(path);
  return differIn(mock.value, model.value, "", { seeded, isOpen });
}

/** The code of an error, and the scopes of a 403. */
function errorOf({ value }: Observed): string {
  const errors = isObject(value) ? (value["errors"] as JsonObject[] | undefined) : undefined; // as the contract shows
  const { code = null, details = null } = errors?.[0] ?? {};
  const scopes = isObject(details) ? [details["required"] ?? null, details["available"] ?? null] : null;
  return JSON.stringify(code === "FORBIDDEN" ? [code, scopes] : [code]);
}
