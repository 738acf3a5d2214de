import type { FleetMethods } from "../../../generated/fleet.operations.ts";
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
import { describeClient, mergeOptions, withoutSecret } from "../core/client.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import type { Api } from "../core/request/api.ts";
import { type ClientFetch, makeClientFetch } from "../core/request/client-fetch.ts";
import { linkCopy } from "../core/request/originals.ts";
import type { ShapedAs, ShapedInput } from "../core/request/operation.ts";
import type { Shape } from "../core/request/shape.ts";
import { inspectSymbol } from "../../wire/inspect.ts";
import { isObject } from "../../wire/json.ts";
import { Damages } from "./damages.ts";
import { DriverAssignments } from "./driver-assignments.ts";
import { InspectionTemplates } from "./inspection-templates.ts";
import { Inspections } from "./inspections.ts";
import { Resource } from "./resource.ts";
import type { Gated } from "./scope-gate.ts";
import { Scopes } from "./scopes.ts";
import type { FleetShapes } from "./shapes.ts";
import { VehicleFields } from "./vehicle-fields.ts";
import { VehicleGroups } from "./vehicle-groups.ts";
import { Vehicles } from "./vehicles.ts";
import { type FleetClientOptions, configure } from "./client-options.ts";

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

  readonly #options: object;
  readonly #api: Api<operations>;
  readonly #bases: readonly string[];

  /** @throws {ConfigurationError} for a wrong option */
  constructor(options: FleetClientOptions<Shapes, Granted>) {
    if (!isObject(options))
      throw new ConfigurationError("FleetClient: the options must be an object { baseUrl, key }");
    const { api, bases, readings, fetchBases, copied } = withoutSecret(options.key, () => configure(options));
    this.#options = copied;
    this.#api = api;
    this.#bases = bases;
    const shapes: FleetShapes = options.shapes ?? {};
    const resource = <T>(output?: Shape, input?: Shape): Resource<T> =>
      new Resource(api, readings["lists.undocumented"], output, input);
    Object.assign(this, {
      vehicles: new Vehicles(resource(shapes.vehicle, shapes.vehicleInput)),
      vehicleGroups: new VehicleGroups(resource(shapes.vehicleGroup, shapes.vehicleGroupInput)),
      vehicleFields: new VehicleFields(resource()),
      inspections: new Inspections(resource(shapes.inspectionSummary, shapes.inspectionInput)),
      inspectionTemplates: new InspectionTemplates(resource(undefined, shapes.inspectionTemplateInput)),
      damages: new Damages(resource(shapes.damageSummary, shapes.damageInput)),
      driverAssignments: new DriverAssignments(
        resource(shapes.driverAssignment, shapes.driverAssignmentInput),
      ),
    } satisfies Record<keyof FleetMethods, object>);
    this.scopes = new Scopes();
    this.fetch = makeClientFetch(api, fetchBases);
  }

  /**
   * Creates a client with other options over the same connections. A given option replaces the client's own; an omitted
   * or undefined one is kept. Both share `maxConcurrency` unless it is given.
   */
  withOptions<const Changed extends FleetShapes = Shapes, Declared extends Scope = Granted>(
    changes: Partial<FleetClientOptions<Changed, Declared>>,
  ): FleetClient<Changed, Declared> {
    // the shapes and scopes are the given ones or those of this client, as the type states
    const base = this.#options as FleetClientOptions<Changed, Declared>;
    const copy = new FleetClient<Changed, Declared>(mergeOptions(base, changes, this.#api.config));
    return linkCopy(copy, this);
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
