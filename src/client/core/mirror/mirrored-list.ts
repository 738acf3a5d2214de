import { ConfigurationError } from "../errors/errors.ts";
import { sourceOf } from "../pagination/list.ts";
import type { PageSource, SentPage } from "../pagination/page-source.ts";
import { type Digests, digestParts, digestsOf } from "../pagination/digests.ts";
import { type ListCall, refusal } from "../pagination/list-call.ts";
import { lockApi } from "../pagination/lock-api.ts";
import { type Destination, DestinationLock, serializeDestination } from "../request/destination.ts";
import type { SentItem } from "../request/shape.ts";

/** A page of a mirrored list. */
export interface MirroredPage {
  items: readonly SentItem<unknown>[];
  /** The number or the token of the next page; null after the last page. */
  next: number | string | null;
  /** The number of entries of the list, if the page names it. */
  total: number | undefined;
  /** The list changed in a way that can lose an entry. */
  isLossy: boolean;
}

/** The part of a list that a mirror uses. All its requests have one destination. */
export interface MirroredList {
  call: ListCall;
  pageSize: number | null;
  /** The properties that may hold the ID of an entry. */
  idProperties: readonly string[];
  /** The digests of the list's call and, after the first request, of its destination. */
  digests(): Digests;
  /** Reads the pages from a position on. */
  pages(position: number | string | null): AsyncGenerator<MirroredPage, void, void>;
}

/** The call of a list, and the function that opens it again. */
export type MirrorSource = Required<Pick<PageSource<unknown>, "call" | "asSent">>;

/** Changes of a numbered list that cannot lose an entry if entries were only created. */
const harmless: ReadonlySet<string> = new Set(["totalCount", "totalPages", "repeated-id", "short-page"]);

/** Returns the source of a list that can be mirrored: a whole list without a time range. */
export function requireSource(list: unknown): MirrorSource {
  const source = sourceOf(list);
  if (source === undefined)
    throw new ConfigurationError("mirror: the first argument must be a list of a client");
  const { call, asSent } = source;
  if (asSent === undefined)
    throw new ConfigurationError(
      `mirror: ${call.label} is the list of a time range; use its method \`pull\``,
    );
  for (const name of ["page", "cursor", "resume", "verify", "onDrift"]) {
    if ((call.baseQuery[name] ?? call.positionQuery[name]) === undefined) continue;
    throw refusal(call, name, "cannot be given: a mirror reads the whole list, and repeats it after changes");
  }
  return { call, asSent };
}

/**
 * Opens a list for a mirror.
 * @param expected the digest of the destination that its first request must have
 */
export function openMirrored({ call, asSent }: MirrorSource, expected: string | undefined): MirroredList {
  const lock = new DestinationLock((destination) => {
    if (expected === undefined || digestDestination(destination) === expected) return;
    throw refusal(call, "state", "belongs to a list with another base URL or environment");
  });
  const api = lockApi(call.api, lock);
  const { limit } = call.baseQuery;
  return {
    call,
    pageSize: typeof limit === "number" ? limit : null,
    idProperties: asSent.idProperties,
    digests() {
      const { current } = lock;
      return { ...digestsOf(call), ...(current && { destination: digestDestination(current) }) };
    },
    async *pages(position) {
      const start = typeof position === "number" ? { page: position } : { resume: position ?? undefined };
      const drift = call.start === "page" ? { onDrift: "report" } : {};
      const list = asSent.open({
        api,
        query: { ...call.baseQuery, ...call.positionQuery, ...start, ...drift },
      });
      for await (const page of list.pages()) yield readPage(page);
    },
  };
}

function readPage({ items, resume, pagination, drift = [] }: SentPage): MirroredPage {
  const isLossy = drift.some(({ kind }) => !harmless.has(kind));
  if (pagination === undefined) return { items, next: resume, total: undefined, isLossy };
  const { currentPage, totalCount } = pagination;
  // a number is shorter than a token, which may hold a key for each entry
  return { items, next: resume === null ? null : currentPage + 1, total: totalCount, isLossy };
}

function digestDestination(destination: Destination): string {
  return digestParts({ destination: serializeDestination(destination) }).destination as string; // it was given
}
