/** Disturbances between a client and a model that have nothing to do with the readings. Each can be switched on. */
import { isObject, type Json, type JsonObject, parseJson } from "./exchange.ts";

export type Fetch = (input: Request, init?: RequestInit) => Promise<Response>;

export interface Disturbances {
  /** Ranges that are longer, in days, or that end in the future, are 400. */
  readonly rangeDays?: number;
  /** The service cuts `from` and `to` to days or seconds, or ignores them. */
  readonly precision?: "day" | "second" | "ignored";
  /** GETs have responses of a cache by URL and authorization that no write empties. */
  readonly cache?: boolean;
  /** Responses have further properties: arrays before the list, names that resemble others, and durations. Their order varies. */
  readonly members?: boolean;
  /** Called once, before the request with this number: removes something. */
  readonly removal?: { readonly at: number; readonly remove: () => void };
  /** A second server behind the same address. Writes reach both. */
  readonly backend?: Fetch;
  /** Chooses the server of the request with a number: true for the first one. Default: they take turns. */
  readonly route?: (number: number, url: URL, request: Request) => boolean;
}

const DAY = 86_400_000;

/** Ignored ranges are replaced with one that every reading takes. */
const ALWAYS = { from: "1990-01-01T00:00:00.000Z", to: "2110-01-01T00:00:00.000Z" };

/** The response to a range that the service does not take: its own response to a request without `from`. */
function badRange(fetch: Fetch, input: Request, url: URL): Promise<Response> {
  const target = new URL(url);
  target.searchParams.delete("from");
  return fetch(new Request(target, input));
}

function rangeOf(url: URL): { from: number; to: number } | undefined {
  const texts = ["from", "to"].map((name) => url.searchParams.get(name) ?? "");
  // other forms are for the service to judge
  const [from, to] = texts.map((text) => (text.endsWith("Z") ? Date.parse(text) : Number.NaN));
  return from === undefined || to === undefined || Number.isNaN(from + to) ? undefined : { from, to };
}

function cut(url: URL, precision: NonNullable<Disturbances["precision"]>): void {
  const range = rangeOf(url);
  if (range === undefined) return;
  const unit = precision === "day" ? DAY : 1000;
  for (const name of ["from", "to"] as const) {
    const text = new Date(Math.floor(range[name] / unit) * unit).toISOString();
    url.searchParams.set(name, precision === "ignored" ? ALWAYS[name] : text);
  }
}

/** The same value with properties that a client must not mistake for others. */
function withMembers(value: Json, isTop = true): Json {
  if (Array.isArray(value)) return value.map((element: Json) => withMembers(element, false));
  if (!isObject(value)) return value;
  const own = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withMembers(one, false)]));
  if (isTop && !("error" in own) && !("errors" in own))
    return { warnings: [{ code: "deprecated", id: "w-1" }], ...own, links: [] };
  if ("submittedAt" in own || "plateNumber" in own)
    return { submittedBy: "someone", creator: "someone else", updatedAt: "2026-03-01T00:00:00.000Z", ...own };
  return own;
}

/** The same value with the properties of each object in the other order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map((element: Json) => reversed(element));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([name, one]): [string, Json] => [name, reversed(one)]));
}

/** A fetch whose service has disturbances. */
export function disturb(fetch: Fetch, disturbances: Disturbances): Fetch {
  const { rangeDays, precision, cache, members, removal, backend, route } = disturbances;
  const cached = new Map<string, { status: number; type: string | null; text: string }>();
  let requests = 0;
  const send = async (input: Request): Promise<Response> => {
    if (backend === undefined) return fetch(input);
    const isFirst = route?.(requests, new URL(input.url), input) ?? requests % 2 === 0;
    if (input.method === "GET") return isFirst ? fetch(input) : backend(input);
    const responses = [await fetch(input.clone()), await backend(input)] as const;
    return responses[isFirst ? 0 : 1];
  };
  const handle = async (input: Request): Promise<Response> => {
    const url = new URL(input.url);
    const range = rangeOf(url);
    if (rangeDays !== undefined && range !== undefined) {
      if (range.to > Date.now() || range.to - range.from > rangeDays * DAY)
        return badRange(fetch, input, url);
    }
    if (precision !== undefined) cut(url, precision);
    const response = await send(url.href === input.url ? input : new Request(url, input));
    if (members !== true) return response;
    const value = parseJson(await response.clone().text());
    if (value === undefined) return response;
    const body = { ...(withMembers(value) as JsonObject), tookMs: requests % 7 }; // each body is an object
    return Response.json(requests % 2 === 0 ? reversed(body) : body, { status: response.status });
  };
  return async (input) => {
    requests += 1;
    if (removal !== undefined && requests === removal.at) removal.remove();
    if (cache !== true || input.method !== "GET") return handle(input);
    const key = `${input.url} ${input.headers.get("authorization") ?? ""} ${input.headers.get("x-service-api-version") ?? ""}`;
    const known = cached.get(key);
    if (known !== undefined) {
      const headers = known.type === null ? {} : { "content-type": known.type };
      return new Response(known.text === "" ? null : known.text, { status: known.status, headers });
    }
    const response = await handle(input);
    const text = await response.clone().text();
    cached.set(key, { status: response.status, type: response.headers.get("content-type"), text });
    return response;
  };
}
