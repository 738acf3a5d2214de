/** Services that play the lists of both contracts as strangers may have written them. */
import type { Fault, NumberedCase, PhotosCase, ProtocolsCase, StoresCase } from "./list-history.ts";
import { Model } from "./list-model.ts";

export interface Reply {
  readonly status: number;
  readonly body: object;
}

/** A service: its rows, and its response to a request. */
export interface ListService {
  readonly model: Model;
  respond(path: string, query: URLSearchParams): Reply;
}

const ok = (body: object): Reply => ({ status: 200, body });
const storeError = (status: number, code: string): Reply => ({
  status,
  body: { error: { code, message: code } },
});
const fleetError = (status: number, code: string): Reply => ({
  status,
  body: { errors: [{ code, message: code }] },
});

const rowsOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => ({ id: `${prefix}${n}`, key: n }));

/** Replaces the response to a request by a wrong one. */
class Faults {
  readonly #faults: readonly Fault[];
  readonly #pages = new Map<string, object>();

  constructor(faults: readonly Fault[]) {
    this.#faults = faults;
  }

  /** The fault of a request. */
  at(request: number): Fault["kind"] | undefined {
    return this.#faults.find((fault) => fault.request === request)?.kind;
  }

  /** Remembers the right response of a page. */
  remember(page: string, body: object): void {
    this.#pages.set(page, body);
  }

  /** The response of another page that was sent before. */
  old(page: string): object | undefined {
    return this.#pages.get(page);
  }
}

/** A numbered list of the fleet API. */
export function numberedService(history: NumberedCase): ListService {
  const isPlain = history.totals === "right" && history.pagination === "right";
  const model = new Model(rowsOf(history.rows, "v"), isPlain ? history.changes : []);
  const faults = new Faults(history.pagination === "right" ? history.faults : []);
  return {
    model,
    respond(path, query) {
      model.next();
      const requested = Number(query.get("page") ?? 1);
      const fault = faults.at(model.requests);
      if (fault === "old-page" && requested > 1) {
        const old = faults.old(String(requested - 1));
        if (old !== undefined) return ok(old);
      }
      const page = fault === "other-page" && requested > 1 ? requested + 1 : requested;
      const reply = numberedPage(history, model, page, query);
      const data = (reply.body as { data?: unknown[] }).data;
      if (fault === "empty" && requested > 1 && data !== undefined) data.length = 0;
      if (reply.status === 200 && fault === undefined)
        faults.remember(String(requested), structuredClone(reply.body));
      return path.includes("/vehicle-fields/") ? renameId(reply) : reply;
    },
  };
}

/** The entries of a field have `vehicleId`. */
function renameId({ status, body }: Reply): Reply {
  const { data = [] } = body as { data?: { id: string }[] };
  return { status, body: { ...body, data: data.map(({ id }) => ({ vehicleId: id })) } };
}

function numberedPage(history: NumberedCase, model: Model, asked: number, query: URLSearchParams): Reply {
  const { rows } = model;
  const limit = Number(query.get("limit") ?? 50);
  const most = Math.min(limit, history.most ?? limit);
  const size = history.counts === "given" ? most : limit;
  if (history.pagination === "whole")
    return ok({ data: rows.map(({ id }) => ({ id })), meta: { version: "v1" } });
  const totalPages = Math.ceil(rows.length / size);
  const last = Math.max(1, totalPages);
  const isPast = asked > last;
  if (isPast && history.pastEnd === "400") return fleetError(400, "BAD_REQUEST");
  if (isPast && history.pastEnd === "404") return fleetError(404, "NOT_FOUND");
  const page = isPast && history.pastEnd === "clamped" ? last : asked;
  const found = rows.slice((page - 1) * size, (page - 1) * size + most);
  const data = found.map(({ id }) => ({ id }));
  if (history.pagination === "none") return ok({ data, meta: { version: "v1" } });
  const totals = { right: rows.length, hidden: rows.length + 2, small: Math.floor(rows.length / 2) };
  const totalCount = history.totals === "of the page" ? data.length : totals[history.totals];
  const flags = {
    right: page < totalPages,
    never: false,
    "on a full page": data.length === most && page <= totalPages,
  };
  const hasNextPage = flags[history.hasNextPage];
  const pagination = { currentPage: page, totalPages, totalCount, hasNextPage, hasPreviousPage: page > 1 };
  return ok({ data, meta: { version: "v1", pagination } });
}

const uuid = (id: string): string =>
  `7f1b0c2e-0000-4000-8000-${Buffer.from(id.padEnd(6, "_")).toString("hex").slice(0, 12)}`;

/** The stores: the cursor is the external ID of the last store of a page. */
export function storesService(history: StoresCase): ListService {
  const model = new Model(rowsOf(history.rows, "S"), history.changes);
  const faults = new Faults(history.faults);
  const last = Array.from({ length: history.withoutId }, (_, n) => ({
    externalId: null,
    storeId: uuid(`n${n}`),
  }));
  const show = (id: string) => ({ externalId: id, storeId: uuid(id), name: id });
  return {
    model,
    respond(path, query) {
      const own = path.split("/stores/")[1];
      if (own !== undefined)
        return model.rows.some(({ id }) => id === own) ? ok(show(own)) : storeError(404, "not_found");
      const cursor = query.get("cursor");
      model.next();
      const fault = faults.at(model.requests);
      const keys = keysOf(model);
      if (cursor !== null && !model.rows.some(({ id }) => id === cursor)) {
        if (history.unknown === "rejected") return storeError(400, "validation_failed");
        if (history.unknown === "empty") return ok({ items: [], nextCursor: null });
      }
      const at = keys.get(cursor ?? "") ?? -Infinity;
      const known = model.rows.filter(({ key }) => (history.cursors === "at" ? key >= at : key > at));
      const all = [...known.map(({ id }) => show(id)), ...last];
      return cursorReply({ all, query, fault, faults, nameOf: (item) => item.externalId });
    },
  };
}

/** The keys of all rows that have ever existed. */
const seen = new WeakMap<Model, Map<string, number>>();
function keysOf(model: Model): Map<string, number> {
  const keys = seen.get(model) ?? new Map<string, number>();
  for (const { id, key } of model.rows) keys.set(id, key);
  seen.set(model, keys);
  return keys;
}

interface CursorReply<T> {
  readonly all: readonly T[];
  readonly query: URLSearchParams;
  readonly fault: Fault["kind"] | undefined;
  readonly faults: Faults;
  readonly nameOf: (item: T, index: number) => string | null | undefined;
}

/** A page from the first of some items, with a cursor if there are others. */
function cursorReply<T>({ all, query, fault, faults, nameOf }: CursorReply<T>): Reply {
  const cursor = query.get("cursor");
  const limit = Number(query.get("limit") ?? 100);
  const items = all.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = all.length > limit && last !== undefined ? (nameOf(last, limit - 1) ?? null) : null;
  const body = { items, nextCursor };
  if (cursor !== null && fault === "empty") return ok({ items: [], nextCursor: null });
  if (cursor !== null && fault === "same-cursor") return ok({ ...body, nextCursor: cursor });
  const old = fault === "old-page" || fault === "other-page" ? faults.old(cursor ?? "") : undefined;
  if (old !== undefined) return ok(old);
  if (nextCursor !== null) faults.remember(nextCursor, body);
  return ok(body);
}

/** A number from 0 up to 1 that depends on a seed. */
export function dice(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state / 2 ** 32;
  };
}

export const start = Date.UTC(2026, 0, 1);

/** The length of the intervals in which a service compares times. */
export const grains = { millisecond: 1, second: 1000, minute: 60_000 };

function timedRows(history: ProtocolsCase | PhotosCase, grain: number) {
  const roll = dice(history.seed);
  const { span, isCrowded, rows } = history;
  return Array.from({ length: rows }, (_, n) => {
    const at = isCrowded && roll() < 0.3 ? span / 2 : roll() * span;
    return {
      id: `P${String((n * 7919) % 1000).padStart(3, "0")}`,
      key: start + Math.floor(at / grain) * grain,
    };
  });
}

/** Protocols and photos of a store, with the times of the rows as keys. */
export function timedService(history: ProtocolsCase | PhotosCase): ListService {
  const grain = history.kind === "protocols" ? grains[history.precision] : 1;
  const rows = timedRows(history, grain).toSorted((a, b) => a.key - b.key);
  const model = new Model(rows, history.kind === "protocols" ? arrivals(history) : []);
  const faults = new Faults(history.faults);
  let cursors = 0;
  return {
    model,
    respond(_, query) {
      model.next();
      const cursor = query.get("cursor");
      const isRejected =
        history.cursors === "rejected" ||
        (history.cursors === "rejected later" && (cursors += cursor === null ? 0 : 1) > 1);
      if (cursor !== null && isRejected) return storeError(400, "validation_failed");
      const found = inRange(history, model, query, grain);
      const isIgnored = history.cursors.startsWith("ignored") || cursor === null;
      const index = isIgnored ? -1 : found.findIndex(({ id }) => id === cursor);
      const offset = history.cursors === "offset" && cursor !== null ? Number(cursor) : index + 1;
      const first = history.cursors === "at" && index >= 0 ? index : offset;
      const all = found.slice(first).map(({ id }) => showTimed(history, id));
      const nameOf = (item: object, at: number): string => {
        if (history.cursors === "offset") return String(first + at + 1);
        if (history.cursors === "ignored and new") return `c${model.requests}`;
        return history.cursors === "ignored" ? "c" : (found[first + at]?.id ?? JSON.stringify(item));
      };
      const fault = faults.at(model.requests);
      const { status, body } = cursorReply({ all, query, fault, faults, nameOf });
      const { items, ...others } = body as { items: object[] };
      const name = history.kind === "photos" ? history.names : "items";
      return { status, body: { externalId: "S-1", [name]: items, ...others } };
    },
  };
}

/** Protocols are created and not deleted. */
function arrivals({ arrivals: changes }: ProtocolsCase) {
  return changes.map((change) => ({ ...change, act: "create" as const }));
}

function showTimed({ kind, ids }: ProtocolsCase | PhotosCase, id: string): object {
  const own = kind === "protocols" ? "protocolId" : "photoId";
  if (ids === "own") return { [own]: id };
  return ids === "id" ? { id } : { label: id };
}

/** The rows in a time range. A service that compares whole seconds cuts both ends. */
export function inRange(
  { ends, order }: ProtocolsCase | PhotosCase,
  model: Model,
  query: URLSearchParams,
  grain: number,
) {
  const cut = (name: string): number => Math.floor(Date.parse(query.get(name) ?? "") / grain) * grain;
  const [from, to] = [cut("from"), cut("to")];
  const isAfter = (at: number): boolean => (ends === "open" || ends === "left-open" ? at > from : at >= from);
  const isBefore = (at: number): boolean => (ends === "closed" || ends === "left-open" ? at <= to : at < to);
  const found = model.rows.filter(({ key }) => isAfter(key) && isBefore(key));
  if (order === "id") return found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return order === "newest" ? found.toReversed() : found;
}
