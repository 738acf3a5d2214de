import { fleetResources } from "../../apis/fleet/data.ts";
import {
  type ExportedState,
  type FleetOptions,
  type ReferenceServer,
  type StoreOptions,
  createReferenceServer,
} from "../../index.ts";
import {
  assertNames,
  type ControlRoutes,
  integerOf,
  objectOf,
  propertyError,
  type UncheckedObject,
} from "../route.ts";

const STORE_SEEDS = ["stores", "storesWithoutId", "protocolsPerStore"];

/** More rows than that would fill the memory of the server. */
const MAX_ROWS = 1_000_000;

export const dataRoutes: ControlRoutes = {
  "POST /reset": ({ ref, body }) => ref.reset(body), // it checks the option
  "GET /state": ({ ref, query }) => ref.exportState({ full: booleanIn(query, "full") }),
  "PUT /state": ({ ref, body }: { ref: ReferenceServer; body: object }) =>
    ref.importState(body as ExportedState), // it checks every property
  "POST /seed": ({ ref, body }) => ref.importState(seededState(ref, body)),
};

function booleanIn(query: Readonly<Record<string, string>>, name: string): boolean {
  const text = query[name] ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw propertyError(name, "true or false", text);
}

/** Returns the data that a server with these seeds begins with. The clock keeps its time. */
function seededState(ref: ReferenceServer, body: UncheckedObject): ExportedState {
  assertNames(body, ["seed", "store", "fleet"]);
  const { seed, store, fleet } = body;
  const options = {
    now: ref.clock.now(),
    readings: ref.readings,
    store: seedsOf(store, "store", STORE_SEEDS) as StoreOptions, // the reference server checks the rows
    fleet: seedsOf(fleet, "fleet", fleetResources) as FleetOptions, // as above
    ...(seed !== undefined && { seed: integerOf(seed, "seed", Number.MIN_SAFE_INTEGER) }),
  };
  const { now: _now, ...state } = createReferenceServer(options).exportState();
  return state;
}

function seedsOf(value: unknown, place: string, names: readonly string[]): UncheckedObject {
  const seeds = objectOf(value ?? {}, place);
  assertNames(seeds, names, place);
  for (const [name, count] of Object.entries(seeds)) {
    if (Array.isArray(count)) {
      for (const [index, row] of count.entries()) objectOf(row, `${place}.${name}[${index}]`);
    } else if (integerOf(count, `${place}.${name}`, 0) > MAX_ROWS)
      throw new Error(`"${place}.${name}" must be at most ${MAX_ROWS}`);
  }
  return seeds;
}
