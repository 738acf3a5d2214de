import { Missing } from "../failures.ts";
import { type JsonObject, isObject } from "../../../wire/json.ts";

/** The URLs of two responses to the same question. */
export interface ComparedUrls {
  readonly kind: "lasting" | "signed" | "relative" | "other";
  readonly compared: number;
}

/** A URL, and the IDs in its row. */
interface FoundUrl {
  readonly url: string;
  readonly ids: readonly string[];
}

type FoundUrls = ReadonlyMap<string, FoundUrl>;

/** Returns the URLs in rows, or those of one name, by the key of their row and the place in it. */
export function urlsIn(rows: readonly JsonObject[], key: string, name = ""): FoundUrls {
  const urls = rows.flatMap((row) => {
    const all = stringsBelow(row, String(row[key]));
    const ids = all.flatMap(([place, value]) =>
      /\/id$|Id$/.test(place) ? [encodeURIComponent(value.toWellFormed())] : [],
    );
    return all.filter(isUrl).map(([place, url]) => [place, { url, ids }] as const);
  });
  return new Map(urls.filter(([place]) => place.endsWith(name)));
}

function stringsBelow(value: unknown, place: string): [place: string, value: string][] {
  if (typeof value === "string") return [[place, value]];
  const inner = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
  return inner.flatMap(([name, below]) => stringsBelow(below, `${place}/${name}`));
}

function isUrl([place, value]: readonly [string, string]): boolean {
  return /url$/i.test(place) && /^(?:https?:\/\/|\/)/.test(value);
}

/**
 * Compares the URLs of the same places: relative ones are paths, and signed ones differ only after the path.
 *
 * @throws {Missing} if a URL that may have a signature is the same in both responses
 */
export function compareUrls(before: FoundUrls, after: FoundUrls): { observed: ComparedUrls; reason: string } {
  const pairs = [...before].flatMap(([place, found]) => {
    const other = after.get(place);
    return other === undefined ? [] : [[found, other.url] as const];
  });
  const kinds = new Set(pairs.map(([found, other]) => kindOf(found, other)));
  const [kind = "other", ...others] = kinds;
  const observed = { kind: others.length === 0 ? kind : ("other" as const), compared: pairs.length };
  return { observed, reason: `Of ${pairs.length} URLs in two responses all are ${observed.kind}.` };
}

function kindOf({ url, ids }: FoundUrl, other: string): ComparedUrls["kind"] {
  if (url.startsWith("//")) return "other";
  if (url.startsWith("/")) return other.startsWith("/") ? "relative" : "other";
  if (url === other && (url.includes("?") || pathOf(url).some((part) => isToken(part, ids))))
    throw new Missing(
      "URLs without a query or a token, which could be a signature that is valid for a while",
    );
  if (url === other) return "lasting";
  return url.split("?", 1)[0] === other.split("?", 1)[0] ? "signed" : "other";
}

function pathOf(url: string): string[] {
  return url.split("/").slice(3);
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;

/** A shorter part of a path is not a signature. */
const MIN_TOKEN = 16;

/** Whether a part of a path may be a signature: it is long, neither a word nor a UUID, and not an ID of its row. */
function isToken(part: string, ids: readonly string[]): boolean {
  if (ids.includes(part) || ids.includes(part.replace(/\.\w+$/, ""))) return false;
  const left = part.replaceAll(UUID, "");
  return left.length >= MIN_TOKEN && /[\dA-Z]/.test(left);
}
