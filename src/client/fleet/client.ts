import type * as contract from "../../../generated/fleet.ts";
import { fleetQueries } from "../../../generated/fleet.queries.ts";
import { scopes as knownScopes } from "../../../generated/fleet.enums.ts";
import { type FleetMethods, fleetOperations } from "../../../generated/fleet.operations.ts";
import { isObject } from "../../wire/json.ts";
import {
  arrayOf,
  booleanRule,
  oneOf,
  type OptionRule,
  readOptions,
  textRule,
  uncheckedRule,
} from "../option-rules.ts";
import { type ClientOptions, type Optional, readClientOptions } from "../options.ts";
import { createCore, mergeOptions } from "../configuration.ts";
import type { Core } from "../core.ts";
import type { CredentialSource } from "../credential.ts";
import { createHttp, type Http } from "../http.ts";
import { describeObject, type Inspect, inspection } from "../inspection.ts";
import type { DriftReaction } from "../lists/query.ts";
import type { Shape, ShapedAs, ShapedInput } from "../shape.ts";
import { Damages } from "./damages.ts";
import { DriverAssignments } from "./driver-assignments.ts";
import { Inspections, InspectionTemplates, type TemplateFilters } from "./inspections.ts";
import { checkFleetUrl, environmentOf, type FleetBaseUrls, resolveBaseUrls } from "./keys.ts";
import type { FleetApi } from "./resource.ts";
import { describeError, fleetError } from "./errors.ts";
import { type Gated, Scopes } from "./scopes.ts";
import { VehicleFields, VehicleGroups, Vehicles } from "./vehicles.ts";
import { ConfigurationError } from "../errors.ts";
import {
  type Environment,
  processEnvironment,
  readCredential,
  readLogOptions,
  readVariable,
} from "../environment.ts";

/** The options of a client besides its base URLs. */
export interface FleetSettings<
  Shapes extends FleetShapes = FleetShapes,
  Granted extends contract.Scope = contract.Scope,
> extends ClientOptions {
  /** The API key, or a function that returns it. After a 401 the function is called again. */
  key: CredentialSource;
  /** The part of every key before `_` (default: any). */
  keyPrefix?: string | undefined;
  /** Sent as `X-Service-API-Version`; without it the server uses `v1`. */
  apiVersion?: string | undefined;
  /**
   * The scopes of the key. A call that they forbid under every reading of the contract does not compile; at run time
   * every call is sent.
   */
  scopes?: readonly Granted[] | undefined;
  /** Schemas for the objects that the contract leaves open. */
  shapes?: Shapes | undefined;
  /** The names of two filters of templates. A service may ignore a filter with another name. */
  templateFilters?: TemplateFilters | undefined;
  /** Whether lists that the contract only names come as a whole, without pagination (default: false). */
  wholeLists?: boolean | undefined;
  /** What happens if a list does not add up; the option of a list has precedence (default: `heal`). */
  onDrift?: DriftReaction | undefined;
  /** Writes that this service handles in the same way if they are sent twice (default: none). */
  repeatable?: readonly "updateInspectionTemplate"[] | undefined;
}

/** The options of `FleetClient`. */
export type FleetClientOptions<
  Shapes extends FleetShapes = FleetShapes,
  Granted extends contract.Scope = contract.Scope,
> = FleetBaseUrls & FleetSettings<Shapes, Granted>;

const rules = {
  baseUrl: uncheckedRule, // checked below
  environments: uncheckedRule,
  key: uncheckedRule,
  keyPrefix: textRule,
  apiVersion: textRule,
  scopes: arrayOf(...knownScopes),
  templateFilters: ["{ group, title }, the names of two parameters", isObject],
  wholeLists: booleanRule,
  onDrift: oneOf("heal", "report", "throw"),
  repeatable: arrayOf("updateInspectionTemplate"),
} satisfies Record<Exclude<keyof FleetClientOptions, keyof ClientOptions | "shapes">, OptionRule>;

const filterRules: Record<keyof TemplateFilters, OptionRule> = { group: textRule, title: textRule };

const shapeNames: readonly (keyof FleetShapes)[] = [
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
];

/**
 * A client of the fleet inspection API: vehicles, groups, fields, inspections, templates, damages and driver
 * assignments.
 * @example
 * const baseUrl = "https://fleet.example.com/api/third-party/v1";
 * const fleet = new FleetClient({ baseUrl, key: () => readKey() });
 * const vehicle = await fleet.vehicles.get(id);
 */
export class FleetClient<
  const Shapes extends FleetShapes = object,
  Granted extends contract.Scope = contract.Scope,
> {
  // the types of the resources depend on shapes and declared scopes, the resources do not
  declare readonly vehicles: Gated<Granted, Resources<Shapes>, "vehicles">;
  declare readonly vehicleGroups: Gated<Granted, Resources<Shapes>, "vehicleGroups">;
  declare readonly vehicleFields: Gated<Granted, Resources<Shapes>, "vehicleFields">;
  declare readonly inspections: Gated<Granted, Resources<Shapes>, "inspections">;
  declare readonly inspectionTemplates: Gated<Granted, Resources<Shapes>, "inspectionTemplates">;
  declare readonly damages: Gated<Granted, Resources<Shapes>, "damages">;
  declare readonly driverAssignments: Gated<Granted, Resources<Shapes>, "driverAssignments">;
  /** The scope rules of the contract: which operations a key may call. */
  readonly scopes: Scopes;
  /**
   * The typed methods of openapi-fetch, for a request as the contract describes it. They send and fail as the methods of
   * the client do, and return `{ data, response }` as the service sent it: `data` is the envelope `{ data, meta }`.
   * @example const { data } = await fleet.http.GET("/vehicles/{id}", { params: { path: { id } } });
   */
  readonly http: Http<contract.paths>;
  /**
   * Creates a client with other options over the same connections. A given option replaces the client's own; an omitted
   * or undefined one is kept. Both share `maxConcurrency` unless it is given, and what a 429 says.
   */
  readonly withOptions = <
    const Changed extends FleetShapes = Shapes,
    Declared extends contract.Scope = Granted,
  >(
    changes: Optional<FleetClientOptions<Changed, Declared>>,
  ): FleetClient<Changed, Declared> => {
    const read = readClientOptions(changes, rules, shapeNames);
    const isMoved = (read.baseUrl ?? read.environments) !== undefined;
    const own = isMoved ? { ...this.#options, baseUrl: undefined, environments: undefined } : this.#options;
    // the shapes and scopes are the given ones or those of this client, as the type states
    const base = own as object as FleetClientOptions<Changed, Declared>;
    return create(mergeOptions(base, read, this.#core));
  };
  /**
   * Ends the client: sends no further request, ends the waits for retries and the limiter, and resolves when the requests in
   * flight have ended. Calls that are not finished then reject with an `AbortError`. Also drains the clients of
   * `withOptions`, and the client that this one is from.
   * @example process.once("SIGTERM", () => client.drain());
   */
  readonly drain = (): Promise<void> => this.#core.shared.drain();
  readonly #core: Core;
  readonly #options: FleetClientOptions;

  /** @throws {ConfigurationError} for a wrong option */
  constructor(given: FleetClientOptions<Shapes, Granted>) {
    const options = readClientOptions(given, rules, shapeNames);
    const core = configure(options);
    const http = createHttp<contract.paths>(core);
    const { wholeLists = false, onDrift = "heal" } = options;
    const api: FleetApi = { core, http, hasWholeLists: wholeLists, onDrift };
    const shapes = (options.shapes ?? {}) as { [Name in keyof FleetShapes]: Shape<never> }; // their outputs are the types above
    this.#core = core;
    this.#options = options;
    this.http = http;
    this.scopes = new Scopes();
    const shaped = (output?: Shape<never>, input?: Shape<never>): FleetApi => ({ ...api, output, input });
    Object.assign(this, {
      vehicles: new Vehicles(shaped(shapes.vehicle, shapes.vehicleInput)),
      vehicleGroups: new VehicleGroups(shaped(shapes.vehicleGroup, shapes.vehicleGroupInput)),
      vehicleFields: new VehicleFields(api),
      inspections: new Inspections(shaped(shapes.inspectionSummary, shapes.inspectionInput)),
      inspectionTemplates: new InspectionTemplates(shaped(undefined, shapes.inspectionTemplateInput)),
      damages: new Damages(shaped(shapes.damageSummary, shapes.damageInput)),
      driverAssignments: new DriverAssignments(shaped(shapes.driverAssignment, shapes.driverAssignmentInput)),
    } satisfies Record<keyof FleetMethods, object>);
  }

  /** What `console.log` shows. @internal */
  [inspection](_: number, options?: unknown, inspect?: Inspect): string {
    const { http: _http, withOptions: _with, drain: _drain, ...resources } = this;
    const baseUrl = this.#core.baseUrl ?? "that of the environment of each key";
    return describeObject("FleetClient", { baseUrl, resources: Object.keys(resources) }, inspect, options);
  }
}

// outside of the class: a bundler renames a class that contains its own name
function create<const Shapes extends FleetShapes, Granted extends contract.Scope>(
  options: FleetClientOptions<Shapes, Granted>,
): FleetClient<Shapes, Granted> {
  return new FleetClient(options);
}

function configure(options: FleetClientOptions): Core {
  const { keyPrefix, templateFilters = {}, repeatable = [] } = options;
  readOptions("templateFilters: ", templateFilters, filterRules);
  const baseUrlFor = resolveBaseUrls(options, options.allowInsecure);
  const baseUrlOf = (key: string): string => baseUrlFor(environmentOf(key, keyPrefix));
  return createCore(options, {
    baseUrl: typeof options.key === "string" ? baseUrlOf(options.key) : undefined,
    baseUrlOf,
    operations: fleetOperations,
    credential: options.key,
    checkCredential: (key) => void baseUrlOf(key),
    headers: { "X-Service-API-Version": options.apiVersion },
    // a second PUT may create another version of a template (gap templates.version-after-put)
    mayRepeat: (id) => id !== "updateInspectionTemplate" || repeatable.includes(id),
    parameterNames: {
      vehicleGroup: { documented: "vehicleGroupId", used: templateFilters.group ?? "vehicleGroupId" },
      title: { documented: "search", used: templateFilters.title ?? "search" },
    },
    describeError,
    apiError: fleetError,
    queries: fleetQueries,
    loadCheck: () => import("./contract-check.ts"),
  });
}

/** The objects that the contract leaves open, with their types without a shape. */
interface OpenObjects {
  vehicle: contract.Vehicle;
  vehicleGroup: contract.VehicleGroup;
  inspectionSummary: contract.InspectionSummary;
  damageSummary: contract.DamageSummary;
  driverAssignment: contract.DriverAssignment;
  vehicleInput: contract.VehicleInput;
  vehicleGroupInput: contract.VehicleGroupInput;
  inspectionInput: contract.InspectionInput;
  inspectionTemplateInput: contract.InspectionTemplateInput;
  damageInput: contract.DamageInput;
  driverAssignmentInput: contract.DriverAssignmentInput;
}

/**
 * Schemas for the objects that the contract leaves open, of any library that implements Standard Schema. The output of a
 * shape of an input, such as `vehicleInput`, is sent.
 */
export interface FleetShapes extends Partial<Record<keyof OpenObjects, Shape | undefined>> {}

type Output<Shapes, Name extends keyof OpenObjects> = ShapedAs<Shapes, Name, OpenObjects[Name]>;
type Input<Shapes, Name extends keyof OpenObjects> = ShapedInput<Shapes, Name, OpenObjects[Name]>;

/** The resources, with the types of the shapes. */
interface Resources<Shapes> {
  vehicles: Vehicles<Output<Shapes, "vehicle">, Input<Shapes, "vehicleInput">>;
  vehicleGroups: VehicleGroups<Output<Shapes, "vehicleGroup">, Input<Shapes, "vehicleGroupInput">>;
  vehicleFields: VehicleFields;
  inspections: Inspections<Output<Shapes, "inspectionSummary">, Input<Shapes, "inspectionInput">>;
  inspectionTemplates: InspectionTemplates<Input<Shapes, "inspectionTemplateInput">>;
  damages: Damages<Output<Shapes, "damageSummary">, Input<Shapes, "damageInput">>;
  driverAssignments: DriverAssignments<
    Output<Shapes, "driverAssignment">,
    Input<Shapes, "driverAssignmentInput">
  >;
}

/**
 * Creates a client from environment variables: `SHELFLEET_FLEET_URL` (production) and `SHELFLEET_SANDBOX_URL`, one of
 * which the key's prefix selects, `SHELFLEET_KEY`, and `SHELFLEET_LOG` for a console log from that level.
 * `SHELFLEET_KEY_FILE` names a file with the key, which is read again after a 401.
 * @param options additional options, which have precedence over the variables
 * @param env the variables, instead of those of the process
 * @throws {ConfigurationError} if a variable is missing or wrong
 * @example const fleet = fleetFromEnv();
 */
export function fleetFromEnv<
  const Shapes extends FleetShapes = object,
  Granted extends contract.Scope = contract.Scope,
>(
  options: Optional<FleetClientOptions<Shapes, Granted>> = {},
  env: Environment = processEnvironment(),
): FleetClient<Shapes, Granted> {
  const given = readClientOptions(options, rules, shapeNames);
  const { baseUrl, environments, key } = given;
  const baseUrls = baseUrl === undefined && environments === undefined ? readBaseUrls(env, given) : {};
  return new FleetClient<Shapes, Granted>({
    ...(given.log === undefined ? readLogOptions(env) : {}),
    ...given,
    ...baseUrls,
    key: key ?? readCredential(env, "SHELFLEET_KEY", "key"),
  } as FleetClientOptions<Shapes, Granted>); // one of the two URLs is set
}

function readBaseUrls(env: Environment, { allowInsecure }: ClientOptions): FleetBaseUrls {
  const read = (name: string): string | undefined => {
    const value = readVariable(env, name);
    return value === undefined ? undefined : checkFleetUrl(name, value, allowInsecure);
  };
  const production = read("SHELFLEET_FLEET_URL");
  const sandbox = read("SHELFLEET_SANDBOX_URL");
  if (production !== undefined || sandbox !== undefined) return { environments: { production, sandbox } };
  throw new ConfigurationError(
    "Neither of the environment variables SHELFLEET_FLEET_URL and SHELFLEET_SANDBOX_URL is set",
  );
}
