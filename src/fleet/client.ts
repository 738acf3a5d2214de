import type { Client } from "openapi-fetch";
import { scopes as knownScopes } from "../../generated/fleet.enums.ts";
import { fleetOperations } from "../../generated/fleet.operations.ts";
import type {
  DamageInput,
  DamageSummary,
  DriverAssignment,
  DriverAssignmentInput,
  InspectionInput,
  InspectionSummary,
  InspectionTemplateInput,
  paths,
  Scope,
  Vehicle,
  VehicleGroup,
  VehicleGroupInput,
  VehicleInput,
} from "../../generated/fleet.ts";
import { fleetClientReadings } from "../../generated/readings.ts";
import { checkChoices } from "../core/choice.ts";
import { ConfigurationError } from "../core/errors.ts";
import { checkHeaders } from "../core/headers.ts";
import { Http } from "../core/http.ts";
import type { ShapedAs, ShapedInput } from "../core/http-types.ts";
import { isObject } from "../core/json.ts";
import { check, checkClientOptions } from "../core/option-checks.ts";
import { type ClientOptions, resolveLimits } from "../core/options.ts";
import { makeRaw } from "../core/raw.ts";
import { Secret, type SecretSource } from "../core/secret.ts";
import { Transport } from "../core/transport.ts";
import { Damages } from "./damages.ts";
import { fleetDialect } from "./dialect.ts";
import { DriverAssignments } from "./driver-assignments.ts";
import { InspectionTemplates, type TemplateFilterNames } from "./inspection-templates.ts";
import { Inspections } from "./inspections.ts";
import { addressBook, environmentOf, type FleetAddress } from "./keys.ts";
import { Lists } from "./lists.ts";
import type { Gated, Methods } from "./scope-gate.ts";
import { Scopes } from "./scopes.ts";
import type { FleetShapes } from "./shapes.ts";
import { VehicleFields } from "./vehicle-fields.ts";
import { VehicleGroups } from "./vehicle-groups.ts";
import { Vehicles } from "./vehicles.ts";

/** What the service means where the contract does not say; see `shelfleet/gaps`. */
export interface FleetReadings {
  /** What the vehicle-group filter of the template list is called (`vehicleGroupId`). */
  "templates.group-filter"?: TemplateFilterNames["vehicleGroup"] | undefined;
  /** What the title search of the template list is called (`search`). */
  "templates.title-filter"?: TemplateFilterNames["title"] | undefined;
  /** Whether the lists known by path alone come in pages (`paged`). */
  "lists.unshown"?: "paged" | "whole" | undefined;
}

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
  readings?: FleetReadings | undefined;
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
  /** The openapi-fetch client over the same transport, for anything that the methods do not offer. */
  readonly raw: Client<paths, "application/json">;

  /** @throws {ConfigurationError} for a wrong option */
  constructor(options: FleetClientOptions<Shapes, Granted>) {
    if (!isObject(options)) throw new ConfigurationError("FleetClient needs { baseUrl, key }");
    checkClientOptions(options, own);
    check(`scopes must be an array of ${knownScopes.join(", ")}`, options.scopes, areScopes);
    const readings = checkChoices("readings", fleetClientReadings, options.readings);
    const http = makeHttp(options);
    const lists = new Lists({ unshown: readings["lists.unshown"], onDrift: options.hooks?.onDrift });
    const shapes: FleetShapes = options.shapes ?? {};
    const names = {
      vehicleGroup: readings["templates.group-filter"],
      title: readings["templates.title-filter"],
    };
    Object.assign(this, {
      vehicles: new Vehicles(http, lists, shapes),
      vehicleGroups: new VehicleGroups(http, lists, shapes),
      vehicleFields: new VehicleFields(http, lists),
      inspections: new Inspections(http, lists, shapes),
      inspectionTemplates: new InspectionTemplates(http, lists, shapes, names),
      damages: new Damages(http, lists, shapes),
      driverAssignments: new DriverAssignments(http, lists, shapes),
    } satisfies Record<keyof Methods, object>);
    this.scopes = new Scopes();
    this.raw = makeRaw(http);
  }
}

function makeHttp(options: FleetClientOptions): Http<paths> {
  const { keyPrefix, apiVersion } = options;
  check("keyPrefix must be a text that is not empty", keyPrefix, isText);
  check("apiVersion must be a text that is not empty", apiVersion, isText);
  const addressOf = addressBook(options, options.allowInsecure === true);
  const baseUrl = (key: string): string => addressOf(environmentOf(key, keyPrefix));
  const version = apiVersion === undefined ? {} : { "X-Service-API-Version": apiVersion };
  const transport = new Transport({
    secret: new Secret(options.key, baseUrl),
    baseUrl,
    fetch: options.fetch,
    headers: { accept: "application/json", ...checkHeaders({ ...version, ...options.headers }) },
    hooks: options.hooks ?? {},
    limiter: options.limiter,
    isPermanent: () => false,
  });
  return new Http<paths>({
    transport,
    limits: resolveLimits(options),
    dialect: fleetDialect,
    operations: fleetOperations,
    validate: options.validate ?? "envelope",
    loadSchemas,
  });
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
    import("../core/schema-check.ts"),
    import("../../generated/fleet.schemas.ts"),
  ]);
  return checkWith(schemas);
}
