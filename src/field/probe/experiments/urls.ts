import { Missing } from "../failures.ts";
import { type JsonObject, isObject } from "../../../wire/json.ts";

/** The URLs of two responses to the same question. */
export interface ComparedUrls {
  readonly kind: "lasting" | "signed" | "relative" | "other";
  readonly compared: number;
}

/** Returns the URLs in rows, or those of one name, by the key of their row and the place in it. */
export function urlsIn(rows: readonly JsonObject[], key: string, name = ""): Map<string, string> {
  const urls = rows.flatMap((row) => urlsBelow(row, String(row[key])));
  return new Map(urls.filter(([place]) => place.endsWith(name)));
}

function urlsBelow(value: unknown, place: string): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((inner, index) => urlsBelow(inner, `${place}/${index}`));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, inner]) => urlsBelow(inner, `${place}/${name}`));
  const isUrl = typeof value === "string" && /url$/i.test(place) && /^(?:https?:\/\/|\/)/.test(value);
  return isUrl ? [[place, value]] : [];
}

/**
 * Compares the URLs of the same places: relative ones are paths, and signed ones differ only after the path.
 *
 * @throws {Missing} if a URL with a query is the same in both responses
 */
export function compareUrls(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): { observed: ComparedUrls; reason: string } {
  const pairs = [...before].flatMap(([place, url]) => {
    const other = after.get(place);
    return other === undefined ? [] : [[url, other] as const];
  });
  const kinds = new Set(pairs.map(([url, other]) => kindOf(url, other)));
  const [kind = "other", ...others] = kinds;
  const observed = { kind: others.length === 0 ? kind : ("other" as const), compared: pairs.length };
  return { observed, reason: `Of ${pairs.length} URLs in two responses all are ${observed.kind}.` };
}

function kindOf(url: string, other: string): ComparedUrls["kind"] {
  if (url.startsWith("/")) return other.startsWith("/") ? "relative" : "other";
  if (url === other && url.includes("?"))
    throw new Missing("URLs without a query, which could be a signature that is valid for a while");
  if (url === other) return "lasting";
  return url.split("?", 1)[0] === other.split("?", 1)[0] ? "signed" : "other";
}
