import { createHash } from "node:crypto";
import {
  type CursorList,
  fillRateGroupBys,
  type JsonObject,
  type StoreClient,
  storeQueryLimits,
} from "../../src/index.ts";
import { ShapeError } from "./failure.ts";

/** The lists to read of each store, one job for each. The list of the stores is also a job. */
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
  /** The state of the pull after this page. */
  state?: string;
}

/** The pages to read. */
export interface RequestedPages {
  client: StoreClient;
  externalId: string;
  pageSize: number;
  /** The range of a backfill, or of the fill rates. */
  range: Range;
  resume: string | undefined;
  signal: AbortSignal;
  /** Only what is new since the last run; undefined in a backfill. */
  pull: { state: string | undefined; since: string; allowedLateness: number; until: () => Date } | undefined;
}

/** The pages of one store and kind, from the last saved one on. */
export const readPages: Record<Kind, (wanted: RequestedPages) => AsyncIterable<RowPage>> = {
  protocols: ({ client: { protocols }, externalId, pull, range, pageSize, resume, signal }) => {
    const limit = atMost(storeQueryLimits.listProtocols, pageSize);
    return pull === undefined
      ? listedPages(protocols.list(externalId, { ...range, limit, resume }, { signal }), protocolIdOf)
      : pulledPages(protocols.pull(externalId, { ...pull, limit }, { signal }), protocolIdOf);
  },
  photos: ({ client: { photos }, externalId, pull, range, pageSize, resume, signal }) => {
    const limit = atMost(storeQueryLimits.listPhotos, pageSize);
    return pull === undefined
      ? listedPages(photos.list(externalId, { ...range, limit, resume }, { signal }), photoIdOf)
      : pulledPages(photos.pull(externalId, { ...pull, limit }, { signal }), photoIdOf);
  },
  "fill-rates": fillRatePages,
};

/** Returns the properties of an item that may hold its ID, the first one that does so counts. */
type IdOf = (item: JsonObject) => unknown[];

/** gap protocols.id-property */
const protocolIdOf: IdOf = ({ protocolId, id }) => [protocolId, id];
const photoIdOf: IdOf = ({ photoId, id }) => [photoId, id];

/** Returns the page size, limited to the maximum of the list. */
function atMost({ limit }: { limit: { maximum: number } }, pageSize: number): number {
  return Math.min(pageSize, limit.maximum);
}

async function* listedPages(list: CursorList<JsonObject>, idOf: IdOf): AsyncGenerator<RowPage> {
  for await (const { items, resume } of list.pages()) yield { rows: rowsOf(items, idOf), resume };
}

/** A pull saves its state with each page. Only its end shows which page was the last one. */
async function* pulledPages(
  batches: AsyncIterable<{ items: JsonObject[]; state: string }>,
  idOf: IdOf,
): AsyncGenerator<RowPage> {
  for await (const { items, state } of batches) yield { rows: rowsOf(items, idOf), resume: "", state };
  yield { rows: [], resume: null };
}

function rowsOf(items: readonly JsonObject[], idOf: IdOf): Row[] {
  return items.map((data) => ({ key: keyOf(data, idOf(data)), data }));
}

/** An item without an ID is identified by its content, as in the client. */
function keyOf(data: JsonObject, ids: readonly unknown[]): string {
  const id = ids.find(isId);
  const key = String(id);
  // PostgreSQL has no NUL, and UTF-8 has one character for all halves of a surrogate pair
  if (id !== undefined && key.isWellFormed() && !key.includes("\0")) return key;
  return `sha256:${createHash("sha256")
    .update(JSON.stringify(id ?? data))
    .digest("hex")}`;
}

/** Beyond 2^53 `JSON.parse` returns the same number for different ones. */
function isId(value: unknown): value is string | number {
  if (typeof value === "number") return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value === "string" && value !== "";
}

/** Three reports, each a page of one row. The resume token is the name of the next report. */
async function* fillRatePages({
  client,
  externalId,
  range,
  resume,
  signal,
}: RequestedPages): AsyncGenerator<RowPage> {
  const start = fillRateGroupBys.findIndex((name) => name === resume);
  for (const [index, groupBy] of fillRateGroupBys.entries()) {
    if (index < start) continue;
    const data = await client.fillRates.forStore(externalId, { ...range, groupBy }, { signal });
    if ("error" in data || "errors" in data || !Object.values(data).some(Array.isArray))
      throw new ShapeError(`The fill rates of ${externalId} by ${groupBy} have no array of groups`);
    yield { rows: [{ key: groupBy, data }], resume: fillRateGroupBys[index + 1] ?? null };
  }
}
