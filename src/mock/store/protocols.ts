import { storeContract } from "../../../generated/store.contract.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { objectsIn } from "../../wire/json.ts";
import { type Handler, type StoreCall, unknownParameter } from "../server/call.ts";
import { ok, refuse } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import type { ProtocolRow } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { externalIdOf, requireStore } from "./stores.ts";
import { timedPage } from "./timeline.ts";
import { assertTimeRange, protocolInstant, timeRange, withResponseTimes } from "./times.ts";

const PARAMETERS = Object.keys(storeContract.listProtocols.query);

const TIMES = ["createdAt", "submittedAt"] as const;

/** `GET /v1/stores/{externalId}/protocols` */
export const listProtocols: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => {
    assertTimeRange(call);
    const { query, is, server } = call;
    // gap protocols.next-page
    if (query.cursor !== undefined && is("protocols.next-page", "rejected"))
      refuse("cursor", unknownParameter(PARAMETERS), "unrecognized_keys");
    const isIgnored = is("protocols.next-page", "ignored") || is("protocols.next-page", "ignored-new-cursor");
    const { cursor: _ignored, ...withoutCursor } = query;
    const isInRange = timeRange(call);
    const { items, nextCursor } = timedPage(isIgnored ? { ...call, query: withoutCursor } : call, {
      isNewestFirst: is("protocols.order", "newest-first"),
      rows: rowsOf(call),
      id: "protocolId",
      isListed: (row) =>
        isInRange(protocolInstant(row, is)) && (query.status === undefined || query.status === row.status),
    });
    const isNew = nextCursor !== null && is("protocols.next-page", "ignored-new-cursor");
    return ok({
      externalId: externalIdOf(call),
      items: items.map((row) => summary(row, is)),
      nextCursor: isNew ? server.ids.uuid() : nextCursor,
    });
  },
};

/** `GET /v1/stores/{externalId}/protocols/{protocolId}` */
export const getProtocol: Handler<StoreCall> = {
  find: (call) => {
    requireStore(call);
    if (protocolOf(call) === undefined) refuseUnknown("protocol");
  },
  run: (call) => {
    const protocol = protocolOf(call) as ProtocolRow; // `find` has found it
    const photos = call.store.photos.get(externalIdOf(call)) ?? [];
    const images = protocol.images ?? photos.filter((photo) => photo.protocolId === protocol.protocolId);
    const shown = objectsIn(images).map((image) => withResponseTimes(image, TIMES, call.is));
    return ok({ ...summary(protocol, call.is), images: shown });
  },
};

function rowsOf(call: StoreCall): ProtocolRow[] {
  return call.store.protocols.get(externalIdOf(call)) ?? [];
}

function protocolOf(call: StoreCall): ProtocolRow | undefined {
  return rowsOf(call).find(({ protocolId }) => protocolId === call.params.protocolId);
}

/** gaps protocols.id-property, date-times.forms */
function summary({ images: _, ...given }: ProtocolRow, is: Is): JsonObject {
  const row = withResponseTimes(given, TIMES, is);
  if (is("protocols.id-property", "protocolId")) return row;
  const { protocolId, ...rest } = row;
  return is("protocols.id-property", "id") ? { id: protocolId, ...rest } : rest;
}
