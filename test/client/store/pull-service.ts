import type { StoreClientOptions, StoreShapes } from "../../../src/client/store/index.ts";
import type { PullBatch } from "../../../src/client/store/index.ts";
import { json, type SentRequest } from "../core/stub-fetch.ts";
import { stubClient } from "./stub-client.ts";

export const day = Date.parse("2026-03-01T00:00:00.000Z");

/** An entry of a list and its instant, in ms after `day`. */
export interface Entry {
  at: number;
  entry: object;
}

/** The ways in which services can compare instants with the ends of a range. */
export const endReadings = ["half-open", "inclusive", "exclusive", "left-open"] as const;
export type Ends = (typeof endReadings)[number];

export interface PullService {
  entries: Entry[];
  ends?: Ends;
  /** Instants and bounds are cut to multiples of it, in ms. */
  precision?: number;
  pageSize?: number;
  /** Cursors of another session have expired: 400. */
  session?: string;
  /** The clock of the client, in ms after `day`. */
  clock?: number;
  /** The clock of the service, in ms after `day`: its responses have a `Date`, and later entries do not exist yet. */
  serverClock?: number;
}

/** A service with one list in the order of instants; its state can be changed between requests. */
export function pullService<const Shapes extends StoreShapes = object>(
  service: PullService,
  options: Partial<StoreClientOptions<Shapes>> = {},
) {
  const respond = ({ query }: SentRequest): Response => {
    const { entries, ends = "half-open", precision = 1, pageSize = 2, serverClock } = service;
    const cut = (time: number): number => Math.floor(time / precision);
    const from = cut(Date.parse(query["from"] ?? ""));
    const to = cut(Date.parse(query["to"] ?? ""));
    const isAfter = (at: number): boolean => (/half|incl/.test(ends) ? at >= from : at > from);
    const isBefore = (at: number): boolean => (/left|incl/.test(ends) ? at <= to : at < to);
    const found = entries
      .filter(({ at }) => serverClock === undefined || at <= serverClock)
      .filter(({ at }) => isAfter(cut(day + at)) && isBefore(cut(day + at)))
      .toSorted((a, b) => a.at - b.at);
    const { session = "" } = service;
    const [of = session, place = 0] = query["cursor"]?.split(":") ?? [];
    if (of !== session)
      return json({ error: { code: "validation_failed", message: "unknown cursor" } }, { status: 400 });
    const start = Number(place);
    const end = start + pageSize;
    const items = found.slice(start, end).map(({ entry }) => entry);
    const date = serverClock === undefined ? {} : { date: new Date(day + serverClock).toUTCString() };
    const nextCursor = end < found.length ? `${session}:${end}` : null;
    return json({ externalId: "S-1", items, nextCursor }, { headers: date });
  };
  const runtime = {
    setTimeout: (run: () => void, delay: number) => setTimeout(run, delay),
    clearTimeout: (timer: unknown) => clearTimeout(timer as number),
    performance,
    Date: { now: () => day + (service.clock ?? 0) },
    Math,
  };
  return stubClient<Shapes>(respond, {
    strategies: { "protocols.next-page": "cursor" },
    runtime,
    ...options,
  });
}

/** Reads batches to the end, or `count` of them. Returns the items, and the state of the last batch. */
export async function readBatches<T>(
  batches: AsyncIterable<PullBatch<T>>,
  count = Infinity,
): Promise<{ items: T[]; state: string; batches: number }> {
  const items: T[] = [];
  let state = "";
  let read = 0;
  for await (const batch of batches) {
    items.push(...batch.items);
    ({ state } = batch);
    read += 1;
    if (read >= count) break;
  }
  return { items, state, batches: read };
}
