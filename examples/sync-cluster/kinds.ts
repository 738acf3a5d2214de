import { createHash } from "node:crypto";
import {
  type CursorList,
  fillRateGroupBys,
  type JsonObject,
  type StoreClient,
  storeQueryLimits,
} from "../../src/index.ts";

/** The lists to read of each store, one job for each. The walk over the stores is also a job. */
export const kinds = ["protocols", "photos", "fill-rates"] as const;

export type Kind = (typeof kinds)[number];

export interface Range {
  from: string;
  to: string;
}

/** One row. A second copy with the same key updates it. */
export interface Row {
  key: string;
  data: JsonObject;
}

/** The data that is saved in one transaction. */
export interface RowPage {
  rows: Row[];
  /** The token to resume from; null after the last page. */
  resume: string | null;
}

/** The pages to request. */
export interface RequestedRun {
  client: StoreClient;
  externalId: string;
  range: Range;
  pageSize: number;
  resume: string | undefined;
  signal: AbortSignal;
}

const read: Record<Kind, (wanted: RequestedRun) => AsyncIterable<RowPage>> = {
  protocols: ({ client, externalId, range, pageSize, resume, signal }) =>
    rowPages(
      client.protocols.list(
        externalId,
        { ...range, limit: atMost(storeQueryLimits.listProtocols, pageSize), resume },
        { signal },
      ),
      // gap protocols.id-property
      ({ protocolId, id }) => protocolId ?? id,
    ),
  photos: ({ client, externalId, range, pageSize, resume, signal }) =>
    rowPages(
      client.photos.list(
        externalId,
        { ...range, limit: atMost(storeQueryLimits.listPhotos, pageSize), resume },
        { signal },
      ),
      ({ photoId, id }) => photoId ?? id,
    ),
  "fill-rates": fillRatePages,
};

/** Returns the page size, limited to the maximum of the list. */
function atMost({ limit }: { limit: { maximum: number } }, pageSize: number): number {
  return Math.min(pageSize, limit.maximum);
}

/** The pages of one store and kind, from a resume token on. */
export function pagesOf(kind: Kind, wanted: RequestedRun): AsyncIterable<RowPage> {
  return read[kind](wanted);
}

async function* rowPages(
  list: CursorList<JsonObject>,
  idOf: (item: JsonObject) => unknown,
): AsyncGenerator<RowPage> {
  for await (const { items, resume } of list.pages())
    yield { rows: items.map((data) => ({ key: keyOf(data, idOf(data)), data })), resume };
}

/** An item without an ID is identified by its content. */
function keyOf(data: JsonObject, id: unknown): string {
  if (typeof id === "string" || typeof id === "number") return String(id);
  return `sha256:${createHash("sha256").update(JSON.stringify(data)).digest("hex")}`;
}

/** Three reports, each a page of one row. The resume token is the name of the next report. */
async function* fillRatePages({
  client,
  externalId,
  range,
  resume,
  signal,
}: RequestedRun): AsyncGenerator<RowPage> {
  const start = fillRateGroupBys.findIndex((name) => name === resume);
  for (const [at, groupBy] of fillRateGroupBys.entries()) {
    if (at < start) continue;
    const data = await client.fillRates.forStore(externalId, { ...range, groupBy }, { signal });
    yield { rows: [{ key: groupBy, data }], resume: fillRateGroupBys[at + 1] ?? null };
  }
}
