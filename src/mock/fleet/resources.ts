import {
  zDamage,
  zInspection,
  zInspectionTemplate,
  zVehicleField,
} from "../../../generated/fleet.schemas.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { containsJson } from "../testing/compare-json.ts";
import { isObject } from "../../wire/json.ts";
import type { FleetCall, Handler } from "../server/call.ts";
import type { Issue } from "../server/exchange.ts";
import type { FleetResource, FleetRow } from "./data.ts";
import { refuse } from "./errors.ts";
import { envelope, rowsIn, undocumentedPage } from "./pages.ts";
import {
  addRow,
  createdReply,
  deleteRow,
  dependentIssues,
  patchRow,
  readRow,
  replaceRow,
  type ReplaceRules,
  requireDeletable,
  requireRow,
} from "./rows.ts";

/** A resource whose operations take bodies. */
export type WrittenResource = Exclude<FleetResource, "vehicleFields">;

/**
 * The properties that the body of a write may have. The contract gives only method and path of some operations; these names
 * come from other responses of the contract, and a few are invented (docs/mock-data.md, "Invented names"). The reading `opaque`
 * of gap fleet.input-shapes does not use them. gap fleet.unknown-properties
 */
export const bodyProperties: Readonly<Record<WrittenResource, readonly string[]>> = {
  vehicles: Object.keys(zInspection.shape.vehicles.def.element.shape),
  vehicleGroups: Object.keys(zVehicleField.shape.groups.def.element.shape),
  inspections: [...Object.keys(zInspection.shape), "vehicleIds"],
  inspectionTemplates: [...Object.keys(zInspectionTemplate.shape), "groupIds"],
  damages: [...Object.keys(zDamage.shape), "inspectionId"],
  driverAssignments: ["id", "vehicleId", "driver", "driverId", "assignedAt", "note"],
};

/** The property of a PATCH body that contains the changes. gap fleet.patch */
export const CHANGES = "changes";

type FleetHandler = Handler<FleetCall>;

/** A function that returns the row that a write has stored. */
type Write = (call: FleetCall) => FleetRow;

type View = (row: FleetRow, call: FleetCall) => JsonObject;

/** The differences of a resource from a collection of open objects. */
interface ResourceRules extends Omit<ReplaceRules, "defaults"> {
  /** The values of a new row that documented responses show, whatever its body has. */
  readonly defaults?: (call: FleetCall) => JsonObject;
  /** The response of the GET of one row. Default: the row. */
  readonly detail?: View;
  /** The response to a write. Default: the row. */
  readonly summary?: View;
  readonly add?: Write;
  readonly replace?: Write;
  readonly patch?: Write;
}

/** Returns the operations of a resource. */
export function handlersOf(
  resource: WrittenResource,
  rules: ResourceRules = {},
): Readonly<Record<"list" | "get" | "create" | "replace" | "patch" | "delete", FleetHandler>> {
  const { detail = theRow, summary = theRow, preserved, synonyms } = rules;
  const initial = (call: FleetCall) => rules.defaults?.(call) ?? {};
  const add: Write = (call) => addRow(call, resource, { ...initial(call), ...call.body });
  // gap fleet.input-shapes: a template keeps its version and times, which the documented list shows
  const isOpaque = ({ is }: FleetCall) =>
    is("fleet.input-shapes", "opaque") && resource !== "inspectionTemplates";
  const replace = (call: FleetCall): JsonObject => {
    const defaults = initial(call);
    if (isOpaque(call)) return replaceRow(call, resource, { defaults });
    return summary(
      rules.replace?.(call) ?? replaceRow(call, resource, { defaults, preserved, synonyms }),
      call,
    );
  };
  const patch = (call: FleetCall): JsonObject => {
    if (isOpaque(call)) return patchRow(call, resource);
    return summary(rules.patch?.(call) ?? patchRow(call, resource, synonyms), call);
  };
  return {
    list: { run: (call) => undocumentedPage(call, rowsIn(call, resource)) },
    get: {
      find: (call) => void readRow(call, resource),
      run: (call) => envelope(detail(readRow(call, resource), call)),
    },
    create: {
      run: (call) => {
        const known = call.is("fleet.repeated-post", "two-resources") ? undefined : knownRow(call, resource);
        if (known !== undefined && call.is("fleet.repeated-post", "rejected"))
          refuse("", "describes a resource that exists", call.is);
        if (known !== undefined) return createdReply(call, known);
        if (isOpaque(call)) return createdReply(call, { ...call.body, id: add(call).id });
        return createdReply(call, summary((rules.add ?? add)(call), call));
      },
    },
    replace: { find: (call) => requireRow(call, resource), run: (call) => envelope(replace(call)) },
    patch: {
      find: (call) => requireRow(call, resource),
      check: patchIssues,
      run: (call) => {
        const { [CHANGES]: changes } = call.body;
        const isOwnShape = call.is("fleet.patch", "own-shape") && isObject(changes);
        return envelope(patch(isOwnShape ? { ...call, body: changes } : call));
      },
    },
    delete: {
      find: (call) => requireDeletable(call, resource),
      check: (call) => dependentIssues(call, resource),
      run: (call) => deleteRow(call, resource),
    },
  };
}

function theRow(row: FleetRow): JsonObject {
  return row;
}

/** Returns a row with everything in the body of a POST. gap fleet.repeated-post */
function knownRow({ fleet, body }: FleetCall, resource: WrittenResource): FleetRow | undefined {
  const { damages: _damages, ...properties } = body; // the damages of an inspection are not in its row
  if (Object.keys(properties).length === 0) return undefined;
  return [...fleet[resource].values()].find((row) => containsJson(row, properties));
}

/** Returns the issues of the shape of a PATCH body. gap fleet.patch */
function patchIssues({ body, is }: FleetCall): Issue[] {
  if (is("fleet.patch", "partial")) return [];
  const { [CHANGES]: changes, ...others } = body;
  const issues = Object.keys(others).map((path) => ({ path, message: `must be a property of "${CHANGES}"` }));
  return isObject(changes) ? issues : [...issues, { path: CHANGES, message: "must be an object" }];
}

/** Returns a property whose objects each have an ID, so that responses can refer to them. */
export function withElementIds({ body, server }: FleetCall, name: string): JsonObject {
  const elements = body[name];
  if (!Array.isArray(elements)) return body;
  const identified = elements.map((element: unknown) =>
    isObject(element) && typeof element.id !== "string" ? { ...element, id: server.ids.uuid() } : element,
  );
  return { ...body, [name]: identified };
}
