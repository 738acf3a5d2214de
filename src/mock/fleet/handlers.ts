import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { zVehicleFieldEntry, zVehicleFieldEntryListMeta } from "../../../generated/fleet.schemas.ts";
import { isObject, type JsonObject, objectOf, objectsIn } from "../../wire/json.ts";
import type { OperationRow } from "../../wire/operation.ts";
import type { FleetCall, Handler } from "../server/call.ts";
import { parseInstant } from "../server/clock.ts";
import { Refusal, refuse, type Reply } from "../server/exchange.ts";
import { nameValue, suggest } from "../server/quotes.ts";
import { containsJson } from "../testing/matcher.ts";
import {
  type FleetData,
  type FleetResource,
  type FleetRow,
  idOf,
  resourceOf,
  stringOf,
  vehicleIdsOf,
  withoutReplaced,
} from "./data.ts";
import { envelope, filtersMeta, matchesSearch, pageReply, sortedIds } from "./pages.ts";
import { fallbackStatus, inspectionSummaries, resources, view, withElementIds } from "./resources.ts";

/** Returns the row in the path, or throws a 404 that names the resource. gap templates.get-one */
export function rowOf(call: FleetCall, resource: FleetResource): FleetRow {
  const isAbsent = call.operation === "getInspectionTemplate" && call.is("templates.get-one", "absent");
  const { id } = call.params;
  const rows = call.fleet[resource];
  const row = isAbsent ? undefined : rows.get(id);
  if (row !== undefined) return row;
  const { name } = resources[resource];
  const reason = isAbsent ? "" : `: ${nameValue(id)}${suggest(id, rows)}`;
  throw new Refusal(404, { message: `${name.charAt(0).toUpperCase()}${name.slice(1)} not found${reason}` });
}

/** The property of a PATCH body that contains the changes. gap fleet.patch */
export const CHANGES = "changes";

/** Returns the changes in the body of a PATCH. gap fleet.patch */
function changesOf({ body, is }: FleetCall): JsonObject {
  if (is("fleet.patch", "partial")) return body;
  const { [CHANGES]: changes, ...others } = body;
  const [other] = Object.keys(others);
  if (other !== undefined) refuse(other, `must be a property of "${CHANGES}"`);
  return isObject(changes) ? changes : refuse(CHANGES, "must be an object");
}

/** Returns a row with everything in the body of a POST. gap fleet.repeated-post */
function knownRow({ fleet, body, is }: FleetCall, resource: FleetResource): FleetRow | undefined {
  const { damages: _damages, ...properties } = body; // the damages of an inspection are not in its row
  if (is("fleet.repeated-post", "two-resources") || Object.keys(properties).length === 0) return undefined;
  return [...fleet[resource].values()].find((row) => containsJson(row, properties));
}

/** What a write replaces, or with `isPartial` changes; without a row it creates one. */
interface Change {
  readonly before?: FleetRow;
  readonly isPartial?: boolean;
}

/** Stores a new row, or one that replaces or changes `before`; an ID in the body is ignored. gaps fleet.put, lists.fleet-order */
function storeRow(
  { server, fleet, is }: FleetCall,
  resource: FleetResource,
  { id: _id, ...body }: JsonObject,
  { before, isPartial }: Change = {},
): FleetRow {
  const { defaults, preserved = [], hasTimes = false } = resources[resource];
  const now = server.clock.now().toISOString();
  const { id = server.ids.uuid(), ...kept } = withoutReplaced(before ?? {}, body);
  const names = new Set(isPartial ? Object.keys(kept) : preserved);
  const row: FleetRow = {
    id: String(id),
    ...(!isPartial && defaults?.(now)),
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => names.has(name))),
    ...withElementIds(resource, body, () => server.ids.uuid()),
    ...(hasTimes && { createdAt: before?.createdAt ?? now, updatedAt: now }),
  };
  if (is("lists.fleet-order", "last-change")) fleet[resource].delete(row.id);
  fleet[resource].set(row.id, row);
  return row;
}

/** Stores the body of a write and the damages that an inspection reports, and returns the response. */
function write(call: FleetCall, resource: FleetResource, body: JsonObject, change?: Change): JsonObject {
  const { damages, ...properties } = body;
  const isInspection = resource === "inspections";
  const row = storeRow(call, resource, isInspection ? properties : body, change);
  if (isInspection) for (const report of objectsIn(damages)) reportDamage(call, row, report);
  return isInspection ? inspectionSummaries(call.fleet)(row) : row;
}

/**
 * Adds a damage that an inspection reports; one with the ID of a damage of the inspection changes it. Defaults: the first
 * vehicle, reported by the person who performed the inspection. gap inspections.reported-damages
 */
function reportDamage(call: FleetCall, inspection: FleetRow, { inspection: _, ...report }: JsonObject): void {
  const known = call.fleet.damages.get(stringOf(report.id) ?? "");
  const isKnown = known !== undefined && idOf(known, "inspection") === inspection.id;
  const [vehicleId] = vehicleIdsOf(inspection);
  const defaults = {
    reportedAt: inspection.performedAt,
    ...(idOf(report, "vehicle") === undefined && vehicleId !== undefined && { vehicleId }),
    ...(isObject(inspection.performedBy) && { reportedBy: inspection.performedBy }),
  };
  if (isKnown) storeRow(call, "damages", report, { before: known, isPartial: true });
  else storeRow(call, "damages", { ...defaults, ...report, inspectionId: inspection.id });
}

/** Returns the handler of an operation by its method and path: those of all resources differ only in `resources`. */
export function handlerOf(operation: FleetOperationId): Handler<FleetCall> {
  const other = otherHandlers[operation];
  if (other !== undefined) return other;
  const { method, path } = fleetOperations[operation];
  const handlers = handlersOf(resourceOf(operation));
  return method === "GET" && !path.endsWith("{id}") ? handlers.list : handlers[method];
}

/** Returns the handlers of a resource by their methods, and that of its list. */
function handlersOf(resource: FleetResource): Record<OperationRow["method"] | "list", Handler<FleetCall>> {
  const { filter, listed, listMeta, detail } = resources[resource];
  const find = (call: FleetCall): void => void rowOf(call, resource);
  const update = (call: FleetCall, body: JsonObject, isPartial: boolean) =>
    envelope(write(call, resource, body, { before: rowOf(call, resource), isPartial }));
  return {
    list: {
      run: (call) => {
        const rows = call.fleet[resource];
        const read = (id: string) => rows.get(id) as FleetRow; // it is one of the IDs
        const isListed = filter?.(call);
        const ids = sortedIds(call, resource);
        const show = listed?.(call.fleet);
        return pageReply(
          call,
          isListed === undefined ? ids : ids.filter((id) => isListed(read(id))),
          (id) => show?.(read(id)) ?? read(id),
          listMeta?.(call),
        );
      },
    },
    GET: {
      find,
      run: (call) => {
        const row = rowOf(call, resource);
        return envelope(detail?.(call.fleet, row) ?? row);
      },
    },
    POST: {
      run: (call) => {
        const known = knownRow(call, resource);
        if (known !== undefined && call.is("fleet.repeated-post", "rejected"))
          refuse("", "describes a resource that exists");
        const status = call.is("fleet.create-status", "created") ? 201 : 200;
        return { ...envelope(known ?? write(call, resource, call.body)), status };
      },
    },
    PUT: { find, run: (call) => update(call, call.body, call.is("fleet.put", "merge")) },
    PATCH: { find, run: (call) => update(call, changesOf(call), true) },
    DELETE: {
      find,
      run: (call) => {
        call.fleet[resource].delete(call.params.id);
        // gap fleet.delete-response
        return call.is("fleet.delete-response", "envelope") ? envelope(null) : { status: 204 };
      },
    },
  };
}

/** `GET /vehicle-fields/{id}/vehicles` */
const listVehicleFieldVehicles: Handler<FleetCall> = {
  find: (call) => void rowOf(call, "vehicleFields"),
  run: (call) => {
    const row = rowOf(call, "vehicleFields");
    const field = view(row, zVehicleFieldEntryListMeta.shape.field);
    return entriesReply(call, row, { field, ...filtersMeta(call, ["search", "status"]) });
  },
};

/** Returns `/vehicleGroups/{id}` for `/vehicle-groups/{id}`. */
type CamelCase<Path> = Path extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Rest>}` : Path;

/** The operations of a resource and its list. */
type ResourceOperation = {
  [Id in FleetOperationId]: CamelCase<(typeof fleetOperations)[Id]["path"]> extends ResourcePath ? Id : never;
}[FleetOperationId];

type ResourcePath = `/${FleetResource}${"" | "/{id}"}`;

/** The handlers of the other operations: one that is missing is a type error. */
const otherHandlers: Partial<Record<FleetOperationId, Handler<FleetCall>>> = {
  listVehicleFieldVehicles,
} satisfies Record<Exclude<FleetOperationId, ResourceOperation>, Handler<FleetCall>>;

interface Latest {
  readonly response: JsonObject;
  readonly inspection: JsonObject;
}

/**
 * Returns a page of the vehicles of a field, computed from the inspections.
 *
 * - A template item with the ID of a vehicle field is about that field, so a response to such an item is a response
 *   for the field.
 * - A response belongs to the vehicle in its `vehicleId`, or else to every vehicle of its inspection.
 * - The latest response is that of the inspection performed last; at the same instant, the one submitted last.
 * - Its value selects an option of the field, by value or else by label; the vehicle has the status of that option.
 */
function entriesReply(call: FleetCall, field: FleetRow, meta: JsonObject): Reply {
  const { fleet, query } = call;
  const latest = latestByVehicle(fleet, field.id);
  const isWanted = (id: string): boolean => {
    if (!latest.has(id)) return false; // gap fields.no-response
    if (query.status !== undefined && statusOf(latest.get(id), field) !== query.status) return false;
    if (query.search === undefined) return true;
    const { plateNumber, brand, model } = objectOf(fleet.vehicles.get(id));
    return matchesSearch(query.search, [plateNumber, brand, model]);
  };
  const show = (id: string): JsonObject => {
    const row = { ...fleet.vehicles.get(id), vehicleId: id, latestResponse: responseTo(latest.get(id)) };
    return view(row, zVehicleFieldEntry, { status: statusOf(latest.get(id), field) });
  };
  return pageReply(call, sortedIds(call, "vehicles").filter(isWanted), show, meta);
}

/** Returns when an inspection was performed; an invalid time is older than others. */
function timeOf({ performedAt }: FleetRow): number {
  return parseInstant(stringOf(performedAt) ?? "") || 0;
}

function latestByVehicle(data: FleetData, fieldId: string): Map<string, Latest> {
  const latest = new Map<string, Latest>();
  for (const inspection of [...data.inspections.values()].toSorted((a, b) => timeOf(a) - timeOf(b)))
    for (const response of objectsIn(inspection.responses)) {
      if (idOf(response, "templateItem") !== fieldId) continue;
      const own = idOf(response, "vehicle");
      for (const id of own === undefined ? vehicleIdsOf(inspection) : [own])
        latest.set(id, { response, inspection });
    }
  return latest;
}

function statusOf(latest: Latest | undefined, field: JsonObject): string | undefined {
  const value = stringOf(latest?.response.responseText);
  const options = field.hasStatusRule === true && value !== undefined ? objectsIn(field.options) : [];
  const chosen =
    options.find((option) => option.value === value) ?? options.find((option) => option.label === value);
  return stringOf(chosen?.status) ?? fallbackStatus(field);
}

function responseTo(latest: Latest | undefined): JsonObject | undefined {
  if (latest === undefined) return undefined;
  const { response, inspection } = latest;
  const { responseText: value, updatedAt = inspection.performedAt } = response;
  return { ...response, inspectionId: inspection.id, value, updatedAt };
}
