import { type FleetOperationId, fleetOperations } from "../../../../generated/fleet.operations.ts";
import type { JsonObject } from "../../../../generated/fleet.ts";
import type { ApiResponse } from "../../kernel/api-response.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { envelope } from "./envelope.ts";
import { type WrittenResource, writtenResource } from "./invented-properties.ts";
import { withChanges } from "./patches.ts";
import { addRow, createdResponse, patchRow, replaceRow } from "./rows.ts";

type Handlers = Readonly<Record<FleetOperationId, FleetHandler>>;

/**
 * Returns handlers that store bodies unchanged under the reading `opaque`. A template keeps its version and times,
 * which the documented list shows. gap fleet.input-shapes
 */
export function withOpaqueBodies(handlers: Handlers): Handlers {
  const entries = Object.entries(handlers) as [FleetOperationId, FleetHandler][];
  return Object.fromEntries(entries.map(([id, handler]) => [id, withOpaqueBody(id, handler)])) as Handlers;
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

function storeBody(context: FleetContext, id: FleetOperationId, resource: WrittenResource): ApiResponse {
  switch (fleetOperations[id].method) {
    case "POST":
      return createdResponse(context, addRow(context, resource, context.body as JsonObject));
    case "PATCH":
      return envelope(patchRow(withChanges(context), resource));
    default:
      return envelope(replaceRow(context, resource));
  }
}
