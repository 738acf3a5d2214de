import {
  zDamage,
  zInspection,
  zInspectionTemplate,
  zVehicleField,
} from "../../../generated/fleet.schemas.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { isObject } from "../../wire/json.ts";
import type { FleetCall, Handler } from "../server/call.ts";
import { refuse, type Reply } from "../server/exchange.ts";
import { containsJson } from "../testing/matcher.ts";
import type { FleetResource, FleetRow } from "./data.ts";
import { envelope, rowsIn, undocumentedPage } from "./pages.ts";
import { addRow, patchRow, replaceRow, rowOf, type WriteRules } from "./rows.ts";

/** A resource whose operations take bodies. */
export type WrittenResource = Exclude<FleetResource, "vehicleFields">;

/**
 * The properties that the body of a write may have. The contract gives only method and path of some operations; these names
 * come from other responses of the contract, and a few are invented. The reading `opaque` of gap fleet.input-shapes does not
 * use them.
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

type View = (row: FleetRow, call: FleetCall) => JsonObject;

/** The differences of a resource from a collection of open objects. */
interface ResourceRules extends WriteRules {
  /** Returns the properties that a write stores. Default: its body. */
  readonly stored?: (call: FleetCall, body: JsonObject, before?: FleetRow) => JsonObject;
  /** Stores the other parts of a body. */
  readonly complete?: (call: FleetCall, row: FleetRow, body: JsonObject) => void;
  /** The response of the GET of one row. Default: the row. */
  readonly detail?: View;
  /** The response to a write. Default: the row. */
  readonly summary?: View;
}

/** Returns the operations of a resource. */
export function handlersOf(
  resource: WrittenResource,
  rules: ResourceRules = {},
): Readonly<Record<"list" | "get" | "create" | "replace" | "patch" | "delete", FleetHandler>> {
  const find = (call: FleetCall): void => void rowOf(call, resource);
  // gap fleet.input-shapes: a template keeps its version and times, which the documented list shows
  const isOpaque = ({ is }: FleetCall) =>
    is("fleet.input-shapes", "opaque") && resource !== "inspectionTemplates";
  const rulesFor = (call: FleetCall): ResourceRules =>
    isOpaque(call) ? { ...(rules.defaults && { defaults: rules.defaults }) } : rules;
  /** Stores a body with one of the functions, and returns the response. */
  const write = (
    call: FleetCall,
    body: JsonObject,
    store: (properties: JsonObject, own: ResourceRules) => FleetRow,
    before?: FleetRow,
  ): JsonObject => {
    const own = rulesFor(call);
    const row = store(own.stored?.(call, body, before) ?? body, own);
    own.complete?.(call, row, body);
    return own.summary?.(row, call) ?? row;
  };
  return {
    list: { run: (call) => undocumentedPage(call, rowsIn(call, resource)) },
    get: {
      find,
      run: (call) => {
        const row = rowOf(call, resource);
        return envelope(rules.detail?.(row, call) ?? row);
      },
    },
    create: {
      run: (call) => {
        const known = call.is("fleet.repeated-post", "two-resources") ? undefined : knownRow(call, resource);
        if (known !== undefined && call.is("fleet.repeated-post", "rejected"))
          refuse("", "describes a resource that exists");
        if (known !== undefined) return createdReply(call, known);
        const row = write(call, call.body, (properties, own) =>
          addRow(call, resource, { ...own.defaults?.(call), ...properties }),
        );
        return createdReply(call, isOpaque(call) ? { ...call.body, id: row.id } : row);
      },
    },
    replace: {
      find,
      run: (call) => {
        const before = rowOf(call, resource);
        const store = (properties: JsonObject, own: WriteRules) =>
          replaceRow(call, resource, properties, own);
        return envelope(write(call, call.body, store, before));
      },
    },
    patch: {
      find,
      run: (call) => {
        const store = (properties: JsonObject, own: WriteRules) => patchRow(call, resource, properties, own);
        return envelope(write(call, changesOf(call), store));
      },
    },
    delete: {
      find,
      run: (call) => {
        call.fleet[resource].delete(call.params.id);
        // gap fleet.delete-response
        return call.is("fleet.delete-response", "envelope")
          ? envelope(null)
          : { status: 204, body: undefined };
      },
    },
  };
}

/** Returns the response to a POST. gap fleet.create-status */
function createdReply({ is }: FleetCall, data: unknown): Reply {
  return { ...envelope(data), status: is("fleet.create-status", "created") ? 201 : 200 };
}

/** Returns a row with everything in the body of a POST. gap fleet.repeated-post */
function knownRow({ fleet, body }: FleetCall, resource: WrittenResource): FleetRow | undefined {
  const { damages: _damages, ...properties } = body; // the damages of an inspection are not in its row
  if (Object.keys(properties).length === 0) return undefined;
  return [...fleet[resource].values()].find((row) => containsJson(row, properties));
}

/** Returns the changes in the body of a PATCH. gap fleet.patch */
function changesOf({ body, is }: FleetCall): JsonObject {
  if (is("fleet.patch", "partial")) return body;
  const { [CHANGES]: changes, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) refuse(other, `must be a property of "${CHANGES}"`);
  return isObject(changes) ? changes : refuse(CHANGES, "must be an object");
}

/** Returns a property whose objects each have an ID, so that responses can refer to them. */
export function withElementIds({ server }: FleetCall, body: JsonObject, name: string): JsonObject {
  const elements = body[name];
  if (!Array.isArray(elements)) return body;
  const identified = elements.map((element: unknown) =>
    isObject(element) && typeof element.id !== "string" ? { ...element, id: server.ids.uuid() } : element,
  );
  return { ...body, [name]: identified };
}
