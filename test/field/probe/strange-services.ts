import { isObject, type Json, type JsonObject, parseJson } from "../../models/exchange.ts";
import type { Fetch } from "../../models/disturbances.ts";

/** Puts a service behind something that has nothing to do with its readings, and that no experiment knows. */
export type Strange = (fetch: Fetch, random: () => number) => Fetch;

/** An error in the form of the API of a URL. */
function errorBody(url: URL, code: string, message: string): Json {
  return url.hostname.startsWith("stores")
    ? { error: { code: code.toLowerCase(), message } }
    : { errors: [{ code, message }] };
}

function isEmpty(text: string): boolean {
  return text.trim() === "";
}

/** Passes the JSON body of each response through a function. */
export function changeBody(fetch: Fetch, change: (body: Json, url: URL, input: Request) => Json): Fetch {
  return async (input) => {
    const response = await fetch(input);
    const text = await response.text();
    const { status, headers } = response;
    const body = parseJson(text);
    if (body === undefined) return new Response(isEmpty(text) ? null : text, { status, headers });
    return Response.json(change(body, new URL(input.url), input), { status });
  };
}

/** Changes each array of objects that a response has directly below its body: the rows of a list. */
export function changeRows(fetch: Fetch, change: (rows: readonly Json[]) => readonly Json[]): Fetch {
  return changeBody(fetch, (body, _url, { method }) => {
    if (method !== "GET" || !isObject(body) || "error" in body || "errors" in body) return body;
    const entries = Object.entries(body).map(([name, value]): [string, Json] => [
      name,
      Array.isArray(value) ? change(value) : value,
    ]);
    return Object.fromEntries(entries);
  });
}

/** Replaces the responses of the last `length` of each `period` requests. */
export function sometimes(period: number, length: number, respond: (input: Request) => Response): Strange {
  return (fetch, random) => {
    let number = Math.floor(random() * period);
    return async (input) => {
      number += 1;
      return number % period >= period - length ? respond(input) : fetch(input);
    };
  };
}

export function respondWith(status: number, code: string): (input: Request) => Response {
  return ({ url }) => Response.json(errorBody(new URL(url), code, "Not now"), { status });
}

/** Responds to the last `length` of each `period` requests as if a quota were used up. */
export function usedUp(status: number, period: number, length: number): Strange {
  return sometimes(period, length, respondWith(status, status === 404 ? "NOT_FOUND" : "QUOTA"));
}

export function isWrite({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Responses for the same path, whatever the query is, for a number of requests. */
function cacheByPath(lifetime: number): Strange {
  return (fetch) => {
    const known = new Map<string, { until: number; status: number; text: string; type: string }>();
    let number = 0;
    return async (input) => {
      number += 1;
      if (isWrite(input)) return fetch(input);
      const { origin, pathname } = new URL(input.url);
      const key = `${origin}${pathname} ${input.headers.get("authorization") ?? ""}`;
      const cached = known.get(key);
      if (cached !== undefined && cached.until > number)
        return new Response(isEmpty(cached.text) ? null : cached.text, {
          status: cached.status,
          headers: { "content-type": cached.type },
        });
      const response = await fetch(input);
      const text = await response.clone().text();
      const type = response.headers.get("content-type") ?? "";
      known.set(key, { until: number + lifetime, status: response.status, text, type });
      return response;
    };
  };
}

/** Acknowledges writes, and passes them on after some requests or never. */
function deferWrites(methods: readonly string[], after = Number.POSITIVE_INFINITY, chance = 1): Strange {
  return (fetch, random) => {
    const waiting: { at: number; send: () => Promise<Response> }[] = [];
    let number = 0;
    return async (input) => {
      number += 1;
      for (const one of waiting.splice(0)) {
        if (one.at <= number) await one.send();
        else waiting.push(one);
      }
      if (!methods.includes(input.method) || random() >= chance) return fetch(input);
      const copy = input.clone();
      waiting.push({ at: number + after, send: () => fetch(copy) });
      if (input.method === "DELETE") return new Response(null, { status: 204 });
      const sent = parseJson(await input.text());
      return Response.json({ data: sent, meta: { version: "v1" } });
    };
  };
}

/** After some writes, a service that is only read rejects all others, as it rejects invalid ones. */
function readOnlyAfter(count: number): Strange {
  return (fetch) => {
    let writes = 0;
    return async (input) => {
      writes += Number(isWrite(input));
      if (!isWrite(input) || writes <= count) return fetch(input);
      const { method, headers } = input;
      return fetch(new Request(input.url, { method, headers, body: "[]" }));
    };
  };
}

/** Responses to writes have the properties of their requests, whatever the service stored. */
const echoed: Strange = (fetch) => async (input) => {
  const text = isWrite(input) ? await input.clone().text() : "";
  const sent = parseJson(text);
  const merge = (own: Json, given: Json | undefined): Json =>
    isObject(own) && given !== undefined && isObject(given) ? { ...own, ...given } : own;
  return changeBody(fetch, (body) => {
    if (sent === undefined || !isObject(sent) || !isObject(body) || "error" in body || "errors" in body)
      return body;
    const { items, data } = body;
    if (data !== undefined) return { ...body, data: merge(data, sent) };
    const rows = Object.values(sent).find((value) => Array.isArray(value));
    if (!Array.isArray(items) || !Array.isArray(rows)) return merge(body, sent);
    const stored: readonly Json[] = items;
    return { ...body, items: rows.map((row: Json, at) => merge(stored[at] ?? stored[0] ?? {}, row)) };
  })(input);
};

/** GETs have old responses until some requests after a write. */
function staleReads(delay: number): Strange {
  return (fetch) => {
    const seen = new Map<string, { status: number; text: string }>();
    let staleUntil = 0;
    let number = 0;
    return async (input) => {
      number += 1;
      const key = `${input.url} ${input.headers.get("authorization") ?? ""}`;
      if (isWrite(input)) {
        staleUntil = number + delay;
        return fetch(input);
      }
      const stale = seen.get(key);
      if (number <= staleUntil && stale !== undefined)
        return new Response(isEmpty(stale.text) ? null : stale.text, {
          status: stale.status,
          headers: { "content-type": "application/json" },
        });
      const response = await fetch(input);
      seen.set(key, { status: response.status, text: await response.clone().text() });
      return response;
    };
  };
}

export function idOf({ id }: JsonObject): string {
  return typeof id === "string" ? id : "";
}

/** Returns the entity that a POST created. */
async function createdIn({ method }: Request, response: Response): Promise<JsonObject | undefined> {
  if (method !== "POST" || !response.ok) return undefined;
  const body = parseJson(await response.clone().text());
  const data = body !== undefined && isObject(body) ? body["data"] : undefined;
  return data !== undefined && isObject(data) ? data : undefined;
}

/** Creations show only after some requests: until then their IDs are unknown. */
function lateCreations(delay: number): Strange {
  return (fetch) => {
    const hidden = new Map<string, number>();
    let number = 0;
    return async (input) => {
      number += 1;
      const isHidden = (id: string): boolean => (hidden.get(id) ?? 0) > number;
      const url = new URL(input.url);
      if (input.method === "GET") {
        const last = url.pathname.split("/").at(-1) ?? "";
        if (isHidden(last)) {
          url.pathname = url.pathname.replace(last, "00000000-0000-4000-8000-000000000000");
          return fetch(new Request(url, input));
        }
        return changeRows(fetch, (rows) => rows.filter((row) => !isObject(row) || !isHidden(idOf(row))))(
          input,
        );
      }
      const response = await fetch(input);
      const created = await createdIn(input, response);
      if (created !== undefined) hidden.set(idOf(created), number + delay);
      return response;
    };
  };
}

function limitTo(most: number): Strange {
  return (fetch) => async (input) => {
    const url = new URL(input.url);
    const limit = url.searchParams.get("limit");
    if (limit === null || !(Number(limit) > most)) return fetch(input);
    url.searchParams.set("limit", String(most));
    return fetch(new Request(url, input));
  };
}

const shuffled: Strange = (fetch, random) =>
  changeRows(fetch, (rows) =>
    rows
      .map((row) => ({ row, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ row }) => row),
  );

/** Each key sees other rows. */
const viewsByKey: Strange = (fetch) => async (input) => {
  const key = input.headers.get("authorization") ?? "";
  const salt = key.charCodeAt(key.length - 1);
  return changeRows(fetch, (rows) =>
    rows.filter((row) => {
      const text = isObject(row) ? idOf(row) : "";
      return text === "" || (text.charCodeAt(3) + salt) % 3 !== 0;
    }),
  )(input);
};

/** IDs are shown in capitals, and accepted in any case. */
const capitalIds: Strange = (fetch) => {
  const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text);
  const raise = (value: Json): Json => {
    if (typeof value === "string") return isId(value) ? value.toUpperCase() : value;
    if (Array.isArray(value)) return value.map((one: Json) => raise(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, raise(one)]));
  };
  return async (input) => {
    const url = new URL(input.url);
    url.pathname = url.pathname
      .split("/")
      .map((part) => (isId(part) ? part.toLowerCase() : part))
      .join("/");
    for (const [name, value] of url.searchParams)
      if (isId(value)) url.searchParams.set(name, value.toLowerCase());
    return changeBody(fetch, raise)(new Request(url, input));
  };
};

/** Sends each write twice, as a proxy that repeats requests does, and returns the second response. */
const twice: Strange = (fetch) => async (input) => {
  if (isWrite(input)) await fetch(input.clone());
  return fetch(input);
};

/** The header `Date` is that of another day. */
const skewed: Strange = (fetch) => async (input) => {
  const response = await fetch(input);
  const headers = new Headers(response.headers);
  headers.set("date", new Date(Date.now() - 26 * 3_600_000).toUTCString());
  return new Response(response.body, { status: response.status, headers });
};

/** Deleted rows stay in their lists, with a mark. */
const softDeletes: Strange = (fetch) => {
  const deleted = new Map<string, Json[]>();
  const rows = new Map<string, JsonObject>();
  return async (input) => {
    const url = new URL(input.url);
    const list = url.origin + url.pathname.replace(/\/[^/]+$/, "");
    const response = await fetch(input);
    const created = await createdIn(input, response);
    if (created !== undefined) rows.set(idOf(created), created);
    const id = url.pathname.split("/").at(-1) ?? "";
    const row = rows.get(id);
    if (input.method === "DELETE" && response.ok && row !== undefined)
      deleted.set(list, [...(deleted.get(list) ?? []), { ...row, deletedAt: "2026-01-01T00:00:00.000Z" }]);
    const marked = deleted.get(url.origin + url.pathname);
    if (input.method !== "GET" || marked === undefined) return response;
    return changeRows(
      async () => response,
      (all) => [...all, ...marked],
    )(input);
  };
};

/** Repeats the last row of a page at its beginning. */
const repeatedRows: Strange = (fetch) =>
  changeRows(fetch, (rows) =>
    rows.length > 1 ? [...rows.slice(-1), ...rows.slice(0, -1), ...rows.slice(-1)] : rows,
  );

function emptyLists(period: number, length: number): Strange {
  return (fetch, random) => {
    let number = Math.floor(random() * period);
    const empty = changeRows(fetch, () => []);
    return async (input) => {
      number += 1;
      return number % period >= period - length ? empty(input) : fetch(input);
    };
  };
}

/** Each search of a period has an empty page. */
export function emptySearches(period: number): Strange {
  return (fetch, random) => {
    let number = Math.floor(random() * period);
    const empty = changeRows(fetch, () => []);
    return async (input) => {
      number += 1;
      const isEmptied = number % period === 0 && new URL(input.url).searchParams.has("search");
      return isEmptied ? empty(input) : fetch(input);
    };
  };
}

/** A gateway that counts invalid requests and then refuses all for a while. */
const lockout: Strange = (fetch) => {
  let faults = 0;
  let locked = 0;
  return async (input) => {
    if (locked > 0) {
      locked -= 1;
      return respondWith(403, "LOCKED")(input);
    }
    const response = await fetch(input);
    if (response.status >= 400) faults += 1;
    if (faults >= 4) {
      faults = 0;
      locked = 5;
    }
    return response;
  };
};

export const STRANGE: Readonly<Record<string, Strange>> = {
  "a quota of 403": sometimes(40, 6, respondWith(403, "QUOTA")),
  "a short quota of 403": sometimes(12, 1, respondWith(403, "QUOTA")),
  "a quota of 400": sometimes(25, 2, respondWith(400, "QUOTA")),
  "a quota of 200 with an error": sometimes(25, 3, respondWith(200, "QUOTA")),
  "times of 404": sometimes(60, 15, respondWith(404, "NOT_FOUND")),
  "times of empty lists": emptyLists(60, 12),
  "random 404": (fetch, random) => async (input) =>
    random() < 0.05 ? respondWith(404, "NOT_FOUND")(input) : fetch(input),
  "a lockout after invalid requests": lockout,
  "a login page": sometimes(
    30,
    5,
    () => new Response(null, { status: 302, headers: { location: "https://login.test/" } }),
  ),
  "a cache by path": cacheByPath(Number.POSITIVE_INFINITY),
  "a short cache by path": cacheByPath(15),
  "deletions that are ignored": deferWrites(["DELETE"]),
  "deletions that are late": deferWrites(["DELETE"], 4),
  "writes that are ignored": deferWrites(["DELETE", "PUT", "PATCH"]),
  "writes that are late": deferWrites(["DELETE", "PUT", "PATCH"], 3),
  "writes that are sometimes ignored": deferWrites(["DELETE", "PUT", "PATCH"], Number.POSITIVE_INFINITY, 0.3),
  "writes that are echoed": echoed,
  "a read-only mode": readOnlyAfter(3),
  "stale reads": staleReads(3),
  "very stale reads": staleReads(30),
  "late creations": lateCreations(2),
  "very late creations": lateCreations(30),
  "small pages": limitTo(5),
  "pages of at most 10": limitTo(10),
  "a firewall with an empty object": sometimes(20, 1, () => Response.json({})),
  "lists in any order": shuffled,
  "other rows for each key": viewsByKey,
  "IDs in capitals": capitalIds,
  "writes that are sent twice": twice,
  "another clock": skewed,
  "soft deletes": softDeletes,
  "truncated lists": (fetch) => changeRows(fetch, (rows) => rows.slice(0, 4)),
  "repeated rows": repeatedRows,
};
