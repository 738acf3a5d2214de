import type { Client } from "openapi-fetch";
import { scopes as knownScopes } from "../../generated/fleet.enums.ts";
import { type FleetMethods, fleetOperations } from "../../generated/fleet.operations.ts";
import type {
  DamageInput,
  DamageSummary,
  DriverAssignment,
  DriverAssignmentInput,
  InspectionInput,
  InspectionSummary,
  InspectionTemplateInput,
  operations,
  paths,
  Scope,
  Vehicle,
  VehicleGroup,
  VehicleGroupInput,
  VehicleInput,
} from "../../generated/fleet.ts";
import { fleetClientReadings, gapReadings, repeatableReadings } from "../../generated/readings.ts";
import { commonConfig, describeClient, makeRaw, mergeOptions, withoutSecret } from "../core/client.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import { check, checkClientOptions } from "../core/options/check-options.ts";
import { checkHeaders } from "../core/options/headers.ts";
import {
  type Environment,
  processEnvironment,
  readLogOptions,
  readVariable,
  requireVariable,
} from "../core/options/environment.ts";
import type { ClientOptions } from "../core/options/options.ts";
import { checkReadings, type ReadingsFile } from "../core/options/readings.ts";
import { Api } from "../core/request/api.ts";
import { type ClientFetch, makeClientFetch } from "../core/request/client-fetch.ts";
import type { Operation, ShapedAs, ShapedInput } from "../core/request/operation.ts";
import { retryClassifier } from "../core/request/retry-class.ts";
import { Secret, type SecretSource } from "../core/request/secret.ts";
import { inspectSymbol } from "../internal/inspect.ts";
import { isObject } from "../internal/json.ts";
import { fleetAdapter } from "./adapter.ts";
import { Damages } from "./damages.ts";
import { DriverAssignments } from "./driver-assignments.ts";
import { InspectionTemplates } from "./inspection-templates.ts";
import { Inspections } from "./inspections.ts";
import { addressBook, checkFleetUrl, environmentOf, type FleetAddress } from "./keys.ts";
import { Lists } from "./lists.ts";
import type { Gated } from "./scope-gate.ts";
import { Scopes } from "./scopes.ts";
import type { FleetShapes } from "./shapes.ts";
import { VehicleFields } from "./vehicle-fields.ts";
import { VehicleGroups } from "./vehicle-groups.ts";
import { Vehicles } from "./vehicles.ts";

/** The readings of gaps, by id; see `shelfleet/gaps`. The client uses those that concern it. */
export type FleetReadings = {
  readonly [Gap in keyof typeof gapReadings]?: (typeof gapReadings)[Gap][number] | undefined;
};

/** What a client takes beside its addresses. */
export interface FleetSettings<Shapes extends FleetShapes = FleetShapes, Granted extends Scope = Scope>
  extends ClientOptions {
  /** The API key, or a function that gives it; after a 401 the function is asked once more. */
  key: SecretSource;
  /** What stands before `_` in every key. Left out: anything. */
  keyPrefix?: string | undefined;
  /** Sent as `X-Service-API-Version`; without it the server takes `v1`. */
  apiVersion?: string | undefined;
  /** What the key has: a call that these scopes surely do not allow does not compile. At run time nothing is held back. */
  scopes?: readonly Granted[] | undefined;
  /** The readings of this service, or a whole readings file. */
  readings?: FleetReadings | ReadingsFile<FleetReadings> | undefined;
  shapes?: Shapes | undefined;
}

/** What `new FleetClient` takes. */
export type FleetClientOptions<
  Shapes extends FleetShapes = FleetShapes,
  Granted extends Scope = Scope,
> = FleetAddress & FleetSettings<Shapes, Granted>;

const own = {
  options: ["baseUrl", "environments", "key", "keyPrefix", "apiVersion", "scopes"],
  shapes: [
    "vehicle",
    "vehicleGroup",
    "inspectionSummary",
    "damageSummary",
    "driverAssignment",
    "vehicleInput",
    "vehicleGroupInput",
    "inspectionInput",
    "inspectionTemplateInput",
    "damageInput",
    "driverAssignmentInput",
  ] satisfies (keyof FleetShapes)[],
};

/** A client of the fleet inspection API: vehicles, groups, fields, inspections, templates, damages, driver assignments. */
export class FleetClient<const Shapes extends FleetShapes = object, Granted extends Scope = Scope> {
  // what the compiler sees of a resource depends on shapes and declared scopes, the resource does not
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
  /** Which scopes open which operation. */
  readonly scopes: Scopes;
  /** The openapi-fetch client over `fetch`, for anything that the methods do not offer. */
  readonly raw: Client<paths, "application/json">;

  /**
   * A standard `fetch` with the client's authentication, deadlines, retries and hooks, for URLs below its base URLs.
   * The key decides which of them is used.
   */
  readonly fetch: ClientFetch;

  readonly #options: FleetClientOptions<Shapes, Granted>;
  readonly #api: Api<operations>;
  readonly #bases: readonly string[];

  /** @throws {ConfigurationError} for a wrong option */
  constructor(options: FleetClientOptions<Shapes, Granted>) {
    if (!isObject(options)) throw new ConfigurationError("FleetClient needs { baseUrl, key }");
    const { api, bases, readings, rawBase } = withoutSecret(options.key, () => configure(options));
    this.#options = { ...options };
    this.#api = api;
    this.#bases = bases;
    const lists = new Lists(api, { unshown: readings["lists.unshown"], hooks: options.hooks ?? {} });
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
    this.fetch = makeClientFetch(api, bases);
    this.raw = makeRaw<paths>(rawBase, this.fetch);
  }

  /**
   * Makes a client from environment variables: `SHELFLEET_FLEET_URL` (production), `SHELFLEET_SANDBOX_URL`, of which the
   * key's prefix picks one, `SHELFLEET_KEY`, and `SHELFLEET_LOG` for a log to the console from that level on.
   * @param options further options; they take precedence over the variables
   * @param env the variables, in place of those of the process
   * @throws {ConfigurationError} if a variable is missing or wrong
   */
  static fromEnv<const Shapes extends FleetShapes = object, Granted extends Scope = Scope>(
    options: Partial<FleetClientOptions<Shapes, Granted>> = {},
    env: Environment = processEnvironment(),
  ): FleetClient<Shapes, Granted> {
    const { baseUrl, environments, key } = options;
    const address = baseUrl === undefined && environments === undefined ? readAddresses(env, options) : {};
    return new FleetClient<Shapes, Granted>({
      ...(options.log === undefined ? readLogOptions(env) : {}),
      ...options,
      ...address,
      key: key ?? requireVariable(env, "SHELFLEET_KEY"),
    } as FleetClientOptions<Shapes, Granted>); // one of the addresses is there
  }

  /**
   * Makes a client with other options over the same connections. An option that is given replaces the client's own,
   * one that is left out or undefined stays. Both share `maxConcurrency` and the retry budget unless they are given.
   */
  withOptions<const Changed extends FleetShapes = Shapes, Declared extends Scope = Granted>(
    changes: Partial<FleetClientOptions<Changed, Declared>>,
  ): FleetClient<Changed, Declared> {
    // the shapes and scopes are the given ones or those of this client, which is what the type says
    const base = this.#options as object as FleetClientOptions<Changed, Declared>;
    return new FleetClient<Changed, Declared>(mergeOptions(base, changes, this.#api.config));
  }

  /** What `console.log` and `util.inspect` show: the base URLs, the timeout and the number of retries. */
  [inspectSymbol](): string {
    return describeClient("FleetClient", this.#bases, this.#api.config);
  }
}

function readAddresses(env: Environment, { allowInsecure }: ClientOptions): FleetAddress {
  const read = (name: string): string | undefined => {
    const value = readVariable(env, name);
    return value === undefined ? undefined : checkFleetUrl(name, value, allowInsecure === true);
  };
  const production = read("SHELFLEET_FLEET_URL");
  const sandbox = read("SHELFLEET_SANDBOX_URL");
  if (production !== undefined || sandbox !== undefined) return { environments: { production, sandbox } };
  throw new ConfigurationError(
    "Neither of the environment variables SHELFLEET_FLEET_URL and SHELFLEET_SANDBOX_URL is set",
  );
}

const defaultReadings = {
  "templates.group-filter": fleetClientReadings["templates.group-filter"][0],
  "templates.title-filter": fleetClientReadings["templates.title-filter"][0],
  "lists.unshown": fleetClientReadings["lists.unshown"][0],
};

function configure(options: FleetClientOptions) {
  checkClientOptions(options, own);
  const { key, keyPrefix, apiVersion, scopes } = options;
  check(`scopes must be an array of ${knownScopes.join(", ")}`, scopes, areScopes);
  check("keyPrefix must be a non-empty string", keyPrefix, isText);
  check("apiVersion must be a non-empty string", apiVersion, isText);
  const told = checkReadings(gapReadings, fleetClientReadings, options.readings);
  const readings = { ...defaultReadings, ...told };
  const { bases, addressOf } = addressBook(options, options.allowInsecure === true);
  const baseUrl = (given: string): string => addressOf(environmentOf(given, keyPrefix));
  const version: Record<string, string> =
    apiVersion === undefined ? {} : { "X-Service-API-Version": apiVersion };
  const secret = new Secret(key, baseUrl);
  const api = new Api<operations>({
    ...commonConfig(options, checkHeaders(version)),
    secret,
    baseUrl,
    operations: withParameterNames(fleetOperations, readings),
    adapter: fleetAdapter,
    retryClassOf: retryClassifier(told, repeatableReadings),
    loadSchemas,
  });
  const rawBase = secret.fixed === undefined ? bases[0] : baseUrl(secret.fixed);
  return { api, bases, readings, rawBase };
}

/** The operation table with the parameters that a reading names (gaps templates.group-filter, templates.title-filter). */
function withParameterNames(
  table: Readonly<Record<string, Operation>>,
  readings: Readonly<Record<string, string>>,
): Readonly<Record<string, Operation>> {
  const rename = (operation: Operation): Operation => {
    const rules = Object.entries(operation.query ?? {});
    if (!rules.some(([, { nameGap }]) => nameGap !== undefined)) return operation;
    const named = rules.map(([name, rule]) => [readings[rule.nameGap ?? ""] ?? name, rule]);
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
    import("../../generated/fleet.schemas.ts"),
  ]);
  return checkWith(schemas);
}
