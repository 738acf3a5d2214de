import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { JsonObject } from "../../../../generated/fleet.ts";
import type { ApiResponse } from "../../http/api-response.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { envelope } from "./envelope.ts";
import { newDamage, newInspection } from "./inspection-writes.ts";
import { type WrittenResource, writtenResource } from "./invented-properties.ts";
import { withChanges } from "./patches.ts";
import { addRow, createdResponse, patchRow, replaceRow } from "./rows.ts";

type Handlers = Readonly<Record<FleetOperationId, FleetHandler>>;

/**
 * Returns handlers that store bodies unchanged under the reading `opaque`. A template keeps its version and times,
 * which the documented list shows. gap fleet.input-shapes
 */
export function withOpaqueBodies(handlers: Handlers): Handlers {
  return mapHandlers(handlers, withOpaqueBody);
}

/** Returns changed handlers. */
export function mapHandlers(
  handlers: Handlers,
  change: (id: FleetOperationId, handler: FleetHandler) => FleetHandler,
): Handlers {
  const entries = Object.entries(handlers) as [FleetOperationId, FleetHandler][];
  return Object.fromEntries(entries.map(([id, handler]) => [id, change(id, handler)])) as Handlers;
}

function withOpaqueBody(id: FleetOperationId, handler: FleetHandler): FleetHandler {
  const resource = writtenResource(id);
  if (resource === undefined || resource === "inspectionTemplates") return handler;
  const run: FleetHandler["run"] = (context) =>
    context.readings["fleet.input-shapes"] === "opaque"
      ? storeBody(context, id, resource)
      : handler.run(context);
  return { ...handler, run };
}

/** Stores a body. The response to a POST has the body as it came, with the ID of its row. */
function storeBody(context: FleetContext, id: FleetOperationId, resource: WrittenResource): ApiResponse {
  const { method } = fleetOperations[id];
  if (method === "PATCH") return envelope(patchRow(withChanges(context), resource));
  const defaults = documentedValues(context, resource);
  if (method === "PUT") return envelope(replaceRow(context, resource, { defaults }));
  const body = context.body; // the schema of the operation asks for an object
  const row = addRow(context, resource, { ...defaults, ...body });
  return createdResponse(context, { ...body, id: row.id });
}

/** The values of a new row that the documented reads show whatever the body has. */
function documentedValues({ clock }: FleetContext, resource: WrittenResource): JsonObject {
  const now = clock.now().toISOString();
  if (resource === "damages") return newDamage(now);
  return resource === "inspections" ? newInspection(now) : {};
}
