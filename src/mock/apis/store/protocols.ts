import { storeOperations } from "../../../../generated/store.operations.ts";
import type { JsonObject } from "../../../../generated/store.ts";
import { ok } from "../../http/api-response.ts";
import { objectsIn } from "../../../wire/json.ts";
import { unknownParameterIssue } from "../../server/unknown-input.ts";
import type { MockReadings } from "../../server/readings.ts";
import { listForm, recordedOr, urlsInResponse, withResponseTimes } from "./response-rows.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import type { ProtocolRow } from "./data.ts";
import { invalid, notFound } from "./errors.ts";
import { externalIdOf, requireStore } from "./path-ids.ts";
import { TimeRange, protocolInstant, timeRangeIssues } from "./time-range.ts";
import { timedPage } from "./timeline.ts";

const PARAMETERS = Object.keys(storeOperations.listProtocols.query);

/** `GET /v1/stores/{externalId}/protocols` */
export const listProtocols: StoreHandler = {
  find: requireStore,
  check: timeRangeIssues,
  run: (context) => {
    const { data, query, readings } = context;
    const nextPage = readings["protocols.next-page"];
    if (query.cursor !== undefined && nextPage === "rejected")
      return invalid([unknownParameterIssue("cursor", PARAMETERS)], readings);
    const rows = data.protocols.get(externalIdOf(context)) ?? [];
    const list = { name: "protocols", order: readings["protocols.order"], rows, id: "protocolId" } as const;
    const page = timedPage(context, { ...list, isListed: protocolFilter(context) }, nextPage);
    if ("status" in page) return page;
    const ids = listedIds(context);
    const items = page.items.map((row) =>
      listForm(row, () => summary({ ...row, protocolId: ids.get(row) ?? row.protocolId }, readings)),
    );
    return ok({ externalId: externalIdOf(context), items, nextCursor: page.nextCursor });
  },
};

/** `GET /v1/stores/{externalId}/protocols/{protocolId}` */
export const getProtocol: StoreHandler = {
  find: (context) =>
    requireStore(context) ?? (protocolOf(context) ? undefined : notFound("protocol", context.readings)),
  run: (context) => {
    const protocol = protocolOf(context) as ProtocolRow; // `find` has found it
    if (protocol.$recorded?.detail !== undefined) return ok(protocol.$recorded.detail);
    const photos = context.data.photos.get(externalIdOf(context)) ?? [];
    const images = protocol.images ?? photos.filter(({ protocolId }) => protocolId === protocol.protocolId);
    const withUrls = urlsInResponse(context);
    const imagesInResponse = objectsIn(images).map((image) =>
      withUrls(listForm(image, () => withResponseTimes(image, TIMES, context.readings))),
    );
    const form = listForm(protocol, () => summary(protocol, context.readings));
    return ok({ ...form, images: imagesInResponse });
  },
};

function protocolOf(context: StoreContext): ProtocolRow | undefined {
  const { data, params } = context;
  return data.protocols
    .get(externalIdOf(context))
    ?.find(({ protocolId }) => protocolId === params.protocolId);
}

function protocolFilter(context: StoreContext): (row: ProtocolRow) => boolean {
  const { query, readings } = context;
  const range = new TimeRange(context);
  // gap lists.unfiltered-status
  const status = query.status ?? (readings["lists.unfiltered-status"] === "every" ? undefined : "completed");
  return recordedOr(
    context,
    (row) => range.has(protocolInstant(context, row)) && (status === undefined || status === row.status),
  );
}

/** Returns the IDs under which the list shows rows that equal an earlier one. gap protocols.equal-summaries */
function listedIds(context: StoreContext): ReadonlyMap<ProtocolRow, string> {
  const ids = new Map<ProtocolRow, string>();
  if (context.readings["protocols.equal-summaries"] === "distinct") return ids;
  const firsts = new Map<string, string>();
  for (const row of context.data.protocols.get(externalIdOf(context)) ?? []) {
    const { protocolId, images: _, ...rest } = row;
    const content = JSON.stringify(rest);
    if (!firsts.has(content)) firsts.set(content, protocolId);
    ids.set(row, firsts.get(content) ?? protocolId);
  }
  return ids;
}

const TIMES = ["createdAt", "submittedAt"] as const;

/** gaps protocols.id-property, date-times.forms */
function summary({ images: _, ...given }: ProtocolRow, readings: MockReadings): JsonObject {
  const row = withResponseTimes(given, TIMES, readings);
  const { protocolId, ...rest } = row;
  switch (readings["protocols.id-property"]) {
    case "protocolId":
      return row;
    case "id":
      return { id: protocolId, ...rest };
    case "anonymous":
      return rest;
  }
}
