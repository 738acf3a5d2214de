import type { JsonObject } from "../../../src/client/store/index.ts";

/**
 * A server of `GET /v1/stores/{externalId}/protocols`, written from store 4 Protocols. Each property is an open
 * question.
 */
export interface RangeModel {
  /** One instant for each protocol, in µs. */
  instants: readonly number[];
  /** The effect of a `cursor`, which the contract does not declare. */
  cursor: "cursor" | "ignored" | "ignored-new-cursor" | "rejected";
  order: "oldest-first" | "newest-first";
  ends: "half-open" | "inclusive" | "exclusive" | "left-open";
  /** The summary of the protocol with this index, in the response with this number. */
  summary: (index: number, response: number) => JsonObject;
}

/** Microseconds since 1970: a `Date` would lose three digits. */
export function micros(instant: string): number {
  const [, fraction = ""] = /\.(\d+)/.exec(instant) ?? [];
  return Math.floor(Date.parse(instant) / 1000) * 1_000_000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}

export function instantAt(time: number): string {
  const whole = new Date(Math.floor(time / 1_000_000) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(time % 1_000_000).padStart(6, "0")}Z`;
}

/** The indexes of the protocols in a range, in the server's order. */
export function indexesIn({ instants, ends, order }: RangeModel, from: number, to: number): number[] {
  const hasStart = ends === "half-open" || ends === "inclusive";
  const hasEnd = ends === "left-open" || ends === "inclusive";
  const inside = [...instants.keys()].filter((index) => {
    const at = instants[index] as number;
    return (hasStart ? at >= from : at > from) && (hasEnd ? at <= to : at < to);
  });
  const ordered = inside.toSorted(
    (one, other) => (instants[one] as number) - (instants[other] as number) || one - other,
  );
  return order === "newest-first" ? ordered.toReversed() : ordered;
}

const respond = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status });

export function rangeServer(model: RangeModel): (url: string) => Promise<Response> {
  let responses = 0;
  return async (url) => {
    responses += 1;
    const { pathname, searchParams: query } = new URL(url);
    const cursor = query.get("cursor");
    if (cursor !== null && model.cursor === "rejected")
      return respond({ error: { code: "validation_failed", message: "unknown parameter" } }, 400);
    const all = indexesIn(model, micros(query.get("from") ?? ""), micros(query.get("to") ?? ""));
    const start = model.cursor === "cursor" && cursor !== null ? Number(cursor.slice(1)) : 0;
    const end = start + Number(query.get("limit") ?? 100);
    const next = model.cursor === "ignored-new-cursor" ? `f${responses}` : `c${end}`;
    return respond({
      externalId: pathname.split("/").at(-2),
      items: all.slice(start, end).map((index) => model.summary(index, responses)),
      nextCursor: end < all.length ? next : null,
    });
  };
}
