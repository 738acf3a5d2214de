import type { mockReadings } from "../../../generated/readings.ts";
import type { JsonObject } from "../../../src/client/store/index.ts";
import { type Responder, json, type SentRequest } from "../core/stub-fetch.ts";

type Readings = typeof mockReadings;

/** A protocol list as the contract leaves it open: each property is the reading of one gap. */
export interface ProtocolServer {
  /** When the protocols were made, in ms; several may be at one instant. */
  instants: readonly number[];
  nextPage: Readings["protocols.next-page"][number];
  order: Readings["protocols.order"][number];
  ends: Readings["time-range.ends"][number];
  /** The property with the ID; only `identify` knows `own`. */
  idProperty: Readings["protocols.id-property"][number] | "own";
}

const propertyNames = { protocolId: "protocolId", id: "id", anonymous: "note", own: "key" };

/** The protocols of a range in the order of the server. */
export function protocolsIn(server: ProtocolServer, from: number, to: number): JsonObject[] {
  const made = server.instants
    .map((at, index) => ({ at, index }))
    .filter(({ at }) => at >= from && (server.ends === "inclusive" ? at <= to : at < to))
    .toSorted((one, other) => one.at - other.at || one.index - other.index);
  if (server.order === "newest-first") made.reverse();
  return made.map(({ at, index }) => ({
    createdAt: new Date(at).toISOString(),
    [propertyNames[server.idProperty]]: `P-${index}`,
  }));
}

/** Whether no two milliseconds hold more than a page: narrower ranges then find everything. */
export function canBeNarrowed(server: ProtocolServer, limit: number): boolean {
  const starts = server.instants.flatMap((at) => [at - 2, at - 1, at]);
  return starts.every((start) => protocolsIn(server, start, start + 2).length <= limit);
}

/** Responds as such a server does, with pages of the request's `limit`. */
export function responderOf(server: ProtocolServer): Responder {
  let responses = 0;
  return ({ path, query }: SentRequest) => {
    responses += 1;
    if (query.cursor !== undefined && server.nextPage === "rejected") {
      const issues = [{ path: "cursor", message: "is not a parameter" }];
      return json({ error: { code: "validation_failed", message: "", issues } }, { status: 400 });
    }
    const all = protocolsIn(server, Date.parse(query.from ?? ""), Date.parse(query.to ?? ""));
    const takesCursor = server.nextPage === "cursor" && query.cursor !== undefined;
    const start = takesCursor ? Number(query.cursor?.slice(1)) : 0;
    const end = start + Number(query.limit ?? 100);
    const more = server.nextPage === "ignored-new-cursor" ? `f${responses}` : `c${end}`;
    return json({
      externalId: path.split("/").at(-2),
      items: all.slice(start, end),
      nextCursor: end < all.length ? more : null,
    });
  };
}
