import { scopes as knownScopes } from "../../../generated/fleet.enums.ts";
import { fleetOperations } from "../../../generated/fleet.operations.ts";
import type { operations, Scope } from "../../../generated/fleet.ts";
import {
  type GapReadings,
  fleetClientReadings,
  gapChecksums,
  repeatableReadings,
} from "../../../generated/readings.ts";
import { commonConfig, makeRedactor } from "../core/client.ts";
import { checkClientOptions, checkedLater, type OptionRule } from "../core/options/check-options.ts";
import { checkHeaders } from "../core/options/headers.ts";
import type { ClientOptions } from "../core/options/options.ts";
import { copyOptions } from "../core/pagination/list-call.ts";
import { checkReadings } from "../core/options/readings.ts";
import { Api } from "../core/request/api.ts";
import type { Destination } from "../core/request/destination.ts";
import type { Operation } from "../core/request/operation.ts";
import { retryClassifier } from "../core/request/retry-class.ts";
import { Secret, type SecretSource } from "../core/request/secret.ts";
import type { ReadingsFile } from "../../wire/readings-file.ts";
import { shapeNames } from "../../wire/shape-names.ts";
import { fleetAdapter } from "./adapter.ts";
import { resolveBaseUrls, environmentOf, type FleetBaseUrls } from "./keys.ts";
import type { FleetShapes } from "./shapes.ts";

/**
 * The readings of gaps, by the gap's ID. A gap is a question that the contract leaves open, a reading is one way to
 * resolve it; `shelfleet/gaps` describes all. Readings that do not concern the client are ignored.
 */
export type FleetReadings = {
  readonly [Gap in keyof GapReadings]?: GapReadings[Gap][number] | undefined;
};

/** The options of a client besides its base URLs. */
export interface FleetSettings<Shapes extends FleetShapes = FleetShapes, Granted extends Scope = Scope>
  extends ClientOptions {
  /** The API key, or a function that returns it. After a 401 the function is called again. */
  key: SecretSource;
  /** The part of every key before `_` (default: any). */
  keyPrefix?: string | undefined;
  /** Sent as `X-Service-API-Version`; without it the server uses `v1`. */
  apiVersion?: string | undefined;
  /**
   * The scopes of the key. A call that they forbid under every reading does not compile; at run time every call is
   * sent.
   */
  scopes?: readonly Granted[] | undefined;
  /** The readings that this service uses, or the whole readings file of `shelfleet probe`. */
  readings?: FleetReadings | ReadingsFile<FleetReadings> | undefined;
  /** Schemas for the objects that the contract leaves open. */
  shapes?: Shapes | undefined;
}

/** The options of `FleetClient`. */
export type FleetClientOptions<
  Shapes extends FleetShapes = FleetShapes,
  Granted extends Scope = Scope,
> = FleetBaseUrls & FleetSettings<Shapes, Granted>;

const own = {
  rules: {
    baseUrl: checkedLater,
    environments: checkedLater,
    key: checkedLater,
    keyPrefix: ["a non-empty string", isText],
    apiVersion: ["a non-empty string", isText],
    scopes: [`an array of ${knownScopes.join(", ")}`, areScopes],
  } satisfies Record<
    Exclude<keyof FleetClientOptions, keyof ClientOptions | "readings" | "shapes">,
    OptionRule
  >,
  shapes: shapeNames.fleet satisfies readonly (keyof FleetShapes)[],
};

const defaultReadings = {
  "templates.group-filter": fleetClientReadings["templates.group-filter"][0],
  "templates.title-filter": fleetClientReadings["templates.title-filter"][0],
  "lists.undocumented": fleetClientReadings["lists.undocumented"][0],
};

export function configure(options: FleetClientOptions) {
  checkClientOptions(options, own);
  const { key, keyPrefix, apiVersion } = options;
  const givenReadings = checkReadings(fleetClientReadings, gapChecksums, options.readings);
  const readings = { ...defaultReadings, ...givenReadings };
  const { bases, baseUrlOf, urls } = resolveBaseUrls(options, options.allowInsecure === true);
  const destination = (given: string): Destination => {
    const environment = environmentOf(given, keyPrefix);
    return { environment, baseUrl: baseUrlOf(environment) };
  };
  const secret = new Secret(key, destination, makeRedactor(options));
  const api = new Api<operations>({
    ...commonConfig(options, checkHeaders({ "X-Service-API-Version": apiVersion })),
    secret,
    destination,
    operations: withParameterNames(fleetOperations, readings),
    adapter: fleetAdapter,
    retryClassOf: retryClassifier(givenReadings, repeatableReadings),
    rejection: givenReadings["errors.fleet-not-processed"],
    loadSchemas,
  });
  const fetchBases: typeof bases = secret.fixed === undefined ? bases : [destination(secret.fixed).baseUrl];
  return { api, bases, readings, fetchBases, copied: { ...copyOptions(options), ...urls, readings } };
}

/** The properties of a query whose names in the URL are gaps. */
const properties: Readonly<Record<string, string>> = {
  "templates.group-filter": "vehicleGroup",
  "templates.title-filter": "title",
};

/** The operation table in which the rules of these properties have the names of the readings. */
function withParameterNames(
  table: Readonly<Record<string, Operation>>,
  readings: Readonly<Record<string, string>>,
): Readonly<Record<string, Operation>> {
  const rename = (operation: Operation): Operation => {
    if (operation.query === undefined) return operation;
    const named = Object.entries(operation.query).map(([name, rule]) => {
      const { nameGap = "" } = rule;
      return [properties[nameGap] ?? name, { ...rule, name: readings[nameGap] ?? name }];
    });
    return { ...operation, query: Object.fromEntries(named) as Operation["query"] & {} };
  };
  return Object.fromEntries(Object.entries(table).map(([id, operation]) => [id, rename(operation)]));
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function areScopes(value: unknown): boolean {
  const known: readonly unknown[] = knownScopes;
  return Array.isArray(value) && value.every((scope) => known.includes(scope));
}

async function loadSchemas() {
  const [{ checkWith }, schemas] = await Promise.all([
    import("../core/request/schema-check.ts"),
    import("../../../generated/fleet.schemas.ts"),
  ]);
  return checkWith(schemas);
}
