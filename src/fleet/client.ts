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
import { Lists } from "./page-source.ts";
import type { Gated } from "./scope-gate.ts";
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

export type FleetClientOptions<
  Shapes extends FleetShapes = FleetShapes,
  Granted extends Scope = Scope,
> = FleetAddress & FleetSettings<Shapes, Granted>;

/** A client of the fleet inspection API: vehicles, groups, fields, inspections, templates, damages, driver assignments. */
export class FleetClient<const Shapes extends FleetShapes = object, Granted extends Scope = Scope> {
  readonly vehicles: Gated<
    Granted,
    "vehicles",
    Vehicles<ShapedAs<Shapes, "vehicle", Vehicle>, ShapedInput<Shapes, "vehicleInput", VehicleInput>>
  >;
  readonly vehicleGroups: Gated<
    Granted,
    "vehicleGroups",
    VehicleGroups<
      ShapedAs<Shapes, "vehicleGroup", VehicleGroup>,
      ShapedInput<Shapes, "vehicleGroupInput", VehicleGroupInput>
    >
  >;
  readonly vehicleFields: Gated<Granted, "vehicleFields", VehicleFields>;
  readonly inspections: Gated<
    Granted,
    "inspections",
    Inspections<
      ShapedAs<Shapes, "inspectionSummary", InspectionSummary>,
      ShapedInput<Shapes, "inspectionInput", InspectionInput>
    >
  >;
  readonly inspectionTemplates: Gated<
    Granted,
    "inspectionTemplates",
    InspectionTemplates<ShapedInput<Shapes, "inspectionTemplateInput", InspectionTemplateInput>>
  >;
  readonly damages: Gated<
    Granted,
    "damages",
    Damages<ShapedAs<Shapes, "damageSummary", DamageSummary>, ShapedInput<Shapes, "damageInput", DamageInput>>
  >;
  readonly driverAssignments: Gated<
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
    checkScopes(options.scopes);
    const readings = checkChoices("readings", fleetClientReadings, options.readings);
    const http = makeHttp(options);
    const lists = new Lists({ unshown: readings["lists.unshown"], onDrift: options.hooks?.onDrift });
    const shapes: FleetShapes = options.shapes ?? {};
    this.vehicles = gate(new Vehicles(http, lists, shapes));
    this.vehicleGroups = gate(new VehicleGroups(http, lists, shapes));
    this.vehicleFields = gate(new VehicleFields(http, lists));
    this.inspections = gate(new Inspections(http, lists, shapes));
    this.inspectionTemplates = gate(
      new InspectionTemplates(http, lists, shapes, {
        vehicleGroup: readings["templates.group-filter"],
        title: readings["templates.title-filter"],
      }),
    );
    this.damages = gate(new Damages(http, lists, shapes));
    this.driverAssignments = gate(new DriverAssignments(http, lists, shapes));
    this.scopes = new Scopes();
    this.raw = makeRaw(http);
  }
}

/** Declared scopes and shapes change what the compiler sees of a resource, not the resource. */
function gate<Seen>(resource: object): Seen {
  return resource as Seen; // the member's own type, which names the class
}

function makeHttp(options: FleetClientOptions): Http<paths> {
  const { keyPrefix, apiVersion } = options;
  checkText("keyPrefix", keyPrefix);
  checkText("apiVersion", apiVersion);
  const addressOf = addressBook(options, options.allowInsecure === true);
  const baseUrl = (key: string): string => addressOf(environmentOf(key, keyPrefix));
  const version = apiVersion === undefined ? {} : { "X-Service-API-Version": apiVersion };
  const transport = new Transport({
    secret: new Secret(options.key, baseUrl),
    baseUrl,
    fetch: options.fetch,
    headers: { accept: "application/json", ...checkHeaders({ ...version, ...options.headers }) },
    hooks: options.hooks ?? {},
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

function checkText(name: string, value: unknown): void {
  if (value === undefined || (typeof value === "string" && value !== "")) return;
  throw new ConfigurationError(`${name} must be a text that is not empty`);
}

function checkScopes(scopes: unknown): void {
  if (scopes === undefined) return;
  if (!Array.isArray(scopes)) throw new ConfigurationError("scopes must be an array of scopes");
  const unknown = scopes.find((scope) => !knownScopes.includes(scope as Scope));
  if (unknown === undefined) return;
  throw new ConfigurationError(
    `scopes: there is no scope ${JSON.stringify(unknown)}; there are ${knownScopes.join(", ")}`,
  );
}

async function loadSchemas() {
  const [{ checkWith }, schemas] = await Promise.all([
    import("../core/schema-check.ts"),
    import("../../generated/fleet.schemas.ts"),
  ]);
  return checkWith(schemas);
}
