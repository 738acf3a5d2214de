import { storeOperations } from "../../../generated/store.operations.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { objectsIn } from "../../wire/json.ts";
import { unknownParameter } from "../server/unknown-parameter.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { ok } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import type { ProtocolRow } from "./data.ts";
import { refuse, refuseUnknown } from "./errors.ts";
import { externalIdOf, requireStore } from "./ids.ts";
import { protocolInstant, timeRange, timeRangeIssues, withResponseTimes } from "./times.ts";
import { timedPage } from "./timeline.ts";

const PARAMETERS = Object.keys(storeOperations.listProtocols.query);

const TIMES = ["createdAt", "submittedAt"] as const;

/** `GET /v1/stores/{externalId}/protocols` */
export const listProtocols: Handler<StoreCall> = {
  find: requireStore,
  check: timeRangeIssues,
  run: (call) => {
    const { query, is, server } = call;
    // gap protocols.next-page
    if (query.cursor !== undefined && is("protocols.next-page", "rejected"))
      refuse("cursor", unknownParameter(PARAMETERS), is, "unrecognized_keys");
    const hasCursor = is("protocols.next-page", "cursor") || is("protocols.next-page", "rejected");
    const { cursor: _ignored, ...withoutCursor } = query;
    const isInRange = timeRange(call);
    // gap lists.unfiltered-status
    const status = query.status ?? (is("lists.unfiltered-status", "every") ? undefined : "completed");
    const { items, nextCursor } = timedPage(hasCursor ? call : { ...call, query: withoutCursor }, {
      name: "protocols",
      order: is("protocols.order", "newest-first") ? "newest-first" : "oldest-first",
      rows: rowsOf(call),
      id: "protocolId",
      isListed: (row) =>
        isInRange(protocolInstant(row, is)) && (status === undefined || status === row.status),
    });
    const ids = listedIds(call);
    return ok({
      externalId: externalIdOf(call),
      items: items.map((row) => summary({ ...row, protocolId: ids.get(row) ?? row.protocolId }, is)),
      nextCursor:
        nextCursor !== null && is("protocols.next-page", "ignored-new-cursor")
          ? server.ids.uuid()
          : nextCursor,
    });
  },
};

/** `GET /v1/stores/{externalId}/protocols/{protocolId}` */
export const getProtocol: Handler<StoreCall> = {
  find: (call) => {
    requireStore(call);
    if (protocolOf(call) === undefined) refuseUnknown("protocol", call.is);
  },
  run: (call) => {
    const protocol = protocolOf(call) as ProtocolRow; // `find` has found it
    const { protocolId } = protocol;
    const photos = call.store.photos.get(externalIdOf(call)) ?? [];
    const images = protocol.images ?? photos.filter((photo) => photo.protocolId === protocolId);
    const withUrl = urlsInResponse(call);
    const shown = objectsIn(images).map((image) => withUrl(withResponseTimes(image, TIMES, call.is)));
    return ok({ ...summary(protocol, call.is), images: shown });
  },
};

function rowsOf(call: StoreCall): ProtocolRow[] {
  return call.store.protocols.get(externalIdOf(call)) ?? [];
}

function protocolOf(call: StoreCall): ProtocolRow | undefined {
  return rowsOf(call).find(({ protocolId }) => protocolId === call.params.protocolId);
}

/** Returns the IDs under which the list shows rows that equal an earlier one. gap protocols.equal-summaries */
function listedIds(call: StoreCall): ReadonlyMap<ProtocolRow, string> {
  const ids = new Map<ProtocolRow, string>();
  if (call.is("protocols.equal-summaries", "distinct")) return ids;
  const firsts = new Map<string, string>();
  for (const row of rowsOf(call)) {
    const { protocolId, images: _, ...rest } = row;
    const content = JSON.stringify(rest);
    if (!firsts.has(content)) firsts.set(content, protocolId);
    ids.set(row, firsts.get(content) ?? protocolId);
  }
  return ids;
}

/** gaps protocols.id-property, date-times.forms */
function summary({ images: _, ...given }: ProtocolRow, is: Is): JsonObject {
  const row = withResponseTimes(given, TIMES, is);
  if (is("protocols.id-property", "protocolId")) return row;
  const { protocolId, ...rest } = row;
  return is("protocols.id-property", "id") ? { id: protocolId, ...rest } : rest;
}

/** Returns the function that writes the URL of each photo or image of one response. gap photos.urls */
export function urlsInResponse({ is, server }: StoreCall): (row: JsonObject) => JsonObject {
  if (is("photos.urls", "lasting")) return (row) => row;
  const signature = is("photos.urls", "signed") ? server.ids.uuid() : "";
  return (row) => {
    if (typeof row.url !== "string" || !URL.canParse(row.url)) return row;
    const url = new URL(row.url);
    if (is("photos.urls", "relative")) return { ...row, url: url.pathname + url.search };
    url.searchParams.set("signature", signature);
    return { ...row, url: url.href };
  };
}
