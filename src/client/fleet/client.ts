import { scopes as knownScopes } from "../../../generated/fleet.enums.ts";
import { type FleetMethods, fleetOperations } from "../../../generated/fleet.operations.ts";
import type {
  DamageInput,
  DamageSummary,
  DriverAssignment,
  DriverAssignmentInput,
  InspectionInput,
  InspectionSummary,
  InspectionTemplateInput,
  operations,
  Scope,
  Vehicle,
  VehicleGroup,
  VehicleGroupInput,
  VehicleInput,
} from "../../../generated/fleet.ts";
import {
  type GapReadings,
  fleetClientReadings,
  fleetRenamedIds,
  gapChecksums,
  repeatableReadings,
} from "../../../generated/readings.ts";
import { commonConfig, describeClient, makeRedactor, mergeOptions, withoutSecret } from "../core/client.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import { checkClientOptions, checkedLater, type OptionRule } from "../core/options/check-options.ts";
import { checkHeaders } from "../core/options/headers.ts";
import type { ClientOptions } from "../core/options/options.ts";
import { checkReadings } from "../core/options/readings.ts";
import { Api } from "../core/request/api.ts";
import { type ClientFetch, makeClientFetch } from "../core/request/client-fetch.ts";
import type { Destination } from "../core/request/destination.ts";
import type { Operation, ShapedAs, ShapedInput } from "../core/request/operation.ts";
import { retryClassifier } from "../core/request/retry-class.ts";
import { Secret, type SecretSource } from "../core/request/secret.ts";
import { inspectSymbol } from "../../wire/inspect.ts";
import { isObject } from "../../wire/json.ts";
import type { ReadingsFile } from "../../wire/readings-file.ts";
import { shapeNames } from "../../wire/shape-names.ts";
import { fleetAdapter } from "./adapter.ts";
import { Damages } from "./damages.ts";
import { DriverAssignments } from "./driver-assignments.ts";
import { InspectionTemplates } from "./inspection-templates.ts";
import { Inspections } from "./inspections.ts";
import { resolveBaseUrls, environmentOf, type FleetBaseUrls } from "./keys.ts";
import { Lists } from "./lists.ts";
import type { Gated } from "./scope-gate.ts";
import { Scopes } from "./scopes.ts";
import type { FleetShapes } from "./shapes.ts";
import { VehicleFields } from "./vehicle-fields.ts";
import { VehicleGroups } from "./vehicle-groups.ts";
import { Vehicles } from "./vehicles.ts";

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

/**
 * A client of the fleet inspection API: vehicles, groups, fields, inspections, templates, damages and driver
 * assignments.
 * @example
 * const baseUrl = "https://fleet.example.com/api/third-party/v1";
 * const fleet = new FleetClient({ baseUrl, key: () => readKey() });
 * const vehicle = await fleet.vehicles.get(id);
 */
export class FleetClient<const Shapes extends FleetShapes = object, Granted extends Scope = Scope> {
  // the types of the resources depend on shapes and declared scopes, the resources do not
  declare readonly vehicles: Gated<
    Granted,
    "vehicles",
    Vehicles<ShapedAs<Shapes, "vehicle", Vehicle>, ShapedInput<Shapes, "vehicleInput", VehicleInput>>
  >;
  declare readonly vehicleGroups: Gated<
    Granted,
    "vehicleGroups",
    VehicleGroups<
      ShapedAs<Shapes, "vehicleGroup", VehicleGroup>,
      ShapedInput<Shapes, "vehicleGroupInput", VehicleGroupInput>
    >
  >;
  declare readonly vehicleFields: Gated<Granted, "vehicleFields", VehicleFields>;
  declare readonly inspections: Gated<
    Granted,
    "inspections",
    Inspections<
      ShapedAs<Shapes, "inspectionSummary", InspectionSummary>,
      ShapedInput<Shapes, "inspectionInput", InspectionInput>
    >
  >;
  declare readonly inspectionTemplates: Gated<
    Granted,
    "inspectionTemplates",
    InspectionTemplates<ShapedInput<Shapes, "inspectionTemplateInput", InspectionTemplateInput>>
  >;
  declare readonly damages: Gated<
    Granted,
    "damages",
    Damages<ShapedAs<Shapes, "damageSummary", DamageSummary>, ShapedInput<Shapes, "damageInput", DamageInput>>
  >;
  declare readonly driverAssignments: Gated<
    Granted,
    "driverAssignments",
    DriverAssignments<
      ShapedAs<Shapes, "driverAssignment", DriverAssignment>,
      ShapedInput<Shapes, "driverAssignmentInput", DriverAssignmentInput>
    >
  >;
  /** The scope rules of the contract: which operations a key may call. */
  readonly scopes: Scopes;

  /**
   * A standard `fetch` with the client's authentication, timeouts, retries and hooks, for URLs below the base URL of the
   * key's environment. With a key function, which may return keys of both environments, URLs below either base URL are
   * accepted, and a key of the other environment is an `InvalidRequestError`.
   */
  readonly fetch: ClientFetch;

  readonly #options: FleetClientOptions<Shapes, Granted>;
  readonly #api: Api<operations>;
  readonly #bases: readonly string[];

  /** @throws {ConfigurationError} for a wrong option */
  constructor(options: FleetClientOptions<Shapes, Granted>) {
    if (!isObject(options))
      throw new ConfigurationError("FleetClient: the options must be an object { baseUrl, key }");
    const { api, bases, readings, fetchBases } = withoutSecret(options.key, () => configure(options));
    this.#options = { ...options };
    this.#api = api;
    this.#bases = bases;
    const lists = new Lists(api, readings["lists.undocumented"]);
    const shapes: FleetShapes = options.shapes ?? {};
    const names = {
      vehicleGroup: readings["templates.group-filter"],
      title: readings["templates.title-filter"],
    };
    Object.assign(this, {
      vehicles: new Vehicles(api, lists, shapes),
      vehicleGroups: new VehicleGroups(api, lists, shapes),
      vehicleFields: new VehicleFields(lists),
      inspections: new Inspections(api, lists, shapes),
      inspectionTemplates: new InspectionTemplates(api, lists, shapes, names),
      damages: new Damages(api, lists, shapes),
      driverAssignments: new DriverAssignments(api, lists, shapes),
    } satisfies Record<keyof FleetMethods, object>);
    this.scopes = new Scopes();
    this.fetch = makeClientFetch(api, fetchBases);
  }

  /**
   * Creates a client with other options over the same connections. A given option replaces the client's own; an omitted
   * or undefined one is kept. Both share `maxConcurrency` and the retry budget unless these options are given.
   */
  withOptions<const Changed extends FleetShapes = Shapes, Declared extends Scope = Granted>(
    changes: Partial<FleetClientOptions<Changed, Declared>>,
  ): FleetClient<Changed, Declared> {
    // the shapes and scopes are the given ones or those of this client, as the type states
    const base = this.#options as object as FleetClientOptions<Changed, Declared>;
    return new FleetClient<Changed, Declared>(mergeOptions(base, changes, this.#api.config));
  }

  /**
   * Ends the client: sends no further request, ends the waits for retries and the limiter, and resolves when the requests in
   * flight have ended. Calls that are not finished then reject with an `AbortError`. Also drains the clients of
   * `withOptions`.
   * @example process.once("SIGTERM", () => client.drain());
   */
  drain(): Promise<void> {
    return this.#api.config.shared.drain.drain();
  }

  /** Returns the output of `console.log` and `util.inspect`: the base URLs, the timeout and the number of retries. */
  [inspectSymbol](): string {
    return describeClient("FleetClient", this.#bases, this.#api.config);
  }
}

const defaultReadings = {
  "templates.group-filter": fleetClientReadings["templates.group-filter"][0],
  "templates.title-filter": fleetClientReadings["templates.title-filter"][0],
  "lists.undocumented": fleetClientReadings["lists.undocumented"][0],
};

function configure(options: FleetClientOptions) {
  checkClientOptions(options, own);
  const { key, keyPrefix, apiVersion } = options;
  const givenReadings = checkReadings(fleetClientReadings, fleetRenamedIds, gapChecksums, options.readings);
  const readings = { ...defaultReadings, ...givenReadings };
  const { bases, baseUrlOf } = resolveBaseUrls(options, options.allowInsecure === true);
  const destination = (given: string): Destination => {
    const environment = environmentOf(given, keyPrefix);
    return { environment, baseUrl: baseUrlOf(environment) };
  };
  const version: Record<string, string> =
    apiVersion === undefined ? {} : { "X-Service-API-Version": apiVersion };
  const secret = new Secret(key, destination, makeRedactor(options));
  const api = new Api<operations>({
    ...commonConfig(options, checkHeaders(version)),
    secret,
    destination,
    operations: withParameterNames(fleetOperations, readings),
    adapter: fleetAdapter,
    retryClassOf: retryClassifier(givenReadings, repeatableReadings),
    rejection: givenReadings["errors.fleet-not-processed"],
    loadSchemas,
  });
  const fetchBases: typeof bases = secret.fixed === undefined ? bases : [destination(secret.fixed).baseUrl];
  return { api, bases, readings, fetchBases };
}

/**
 * The operation table with the parameters that a reading names (gaps templates.group-filter, templates.title-filter).
 */
function withParameterNames(
  table: Readonly<Record<string, Operation>>,
  readings: Readonly<Record<string, string>>,
): Readonly<Record<string, Operation>> {
  const rename = (operation: Operation): Operation => {
    if (operation.query === undefined) return operation;
    const named = Object.entries(operation.query).map(([name, rule]) => [
      readings[rule.nameGap ?? ""] ?? name,
      rule,
    ]);
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
