import { type Json, type JsonObject, isObject, parseJson } from "../../models/exchange.ts";
import {
  STRANGE,
  type Strange,
  changeBody,
  changeRows,
  idOf,
  isWrite,
  respondWith,
  sometimes,
} from "./strange-services.ts";
import type { Readings } from "./subjects.ts";

/** Replaces each value of a type in a body. */
function changeValues(value: Json, change: (value: Json, name: string) => Json, name = ""): Json {
  if (Array.isArray(value)) return value.map((one: Json) => changeValues(one, change, name));
  if (!isObject(value)) return change(value, name);
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, one]) => [key, changeValues(one, change, key)]));
}

function changeStrings(change: (text: string, name: string) => Json): (value: Json, name: string) => Json {
  return (value, name) => (typeof value === "string" ? change(value, name) : value);
}

/** Responses whose values are changed. */
function shown(change: (value: Json, name: string) => Json): Strange {
  return (fetch) => changeBody(fetch, (body) => changeValues(body, change));
}

/** Requests whose values are changed before the service sees them. */
function stored(change: (value: Json, name: string) => Json): Strange {
  return (fetch) => async (input) => {
    const body = isWrite(input) ? parseJson(await input.clone().text()) : undefined;
    if (body === undefined) return fetch(input);
    const { method, headers } = input;
    return fetch(
      new Request(input.url, { method, headers, body: JSON.stringify(changeValues(body, change)) }),
    );
  };
}

/** Requests whose URL is changed before the service sees it. */
function routed(change: (url: URL, input: Request) => void): Strange {
  return (fetch) => async (input) => {
    const url = new URL(input.url);
    change(url, input);
    return fetch(url.href === input.url ? input : new Request(url, input));
  };
}

/** Responses without the properties that have certain values. */
function without(isOmitted: (value: Json) => boolean): Strange {
  const omit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((one: Json) => omit(one));
    if (!isObject(value)) return value;
    const left = Object.entries(value).filter(([, one]) => !isOmitted(one));
    return Object.fromEntries(left.map(([name, one]) => [name, omit(one)]));
  };
  return (fetch) => changeBody(fetch, omit);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Times of responses, changed. */
function times(change: (time: Date) => string): Strange {
  return shown(
    changeStrings((text) => {
      const time = new Date(text);
      // gap date-times.forms: a time without offset stays one
      return TIME.test(text) && text.endsWith("Z") ? change(time) : text;
    }),
  );
}

/** The bounds of ranges, changed. */
function bounds(change: (bound: Date, name: string, url: URL) => Date): Strange {
  return routed((url) => {
    for (const name of ["from", "to"]) {
      const text = url.searchParams.get(name) ?? "";
      const bound = new Date(text);
      if (!text.endsWith("Z") || Number.isNaN(bound.getTime())) continue;
      url.searchParams.set(name, change(bound, name, url).toISOString());
    }
  });
}

/** The query without some parameters, on some paths. */
function ignored(path: RegExp, ...names: readonly string[]): Strange {
  return routed((url) => {
    if (!path.test(url.pathname)) return;
    for (const name of names) url.searchParams.delete(name);
  });
}

interface Known {
  readonly status: number;
  readonly text: string;
}

function respondAgain({ status, text }: Known): Response {
  const headers = { "content-type": "application/json" };
  return new Response(text === "" ? null : text, { status, headers });
}

/** GETs with their last response, for a number of requests after a write. */
function lagging(isLate: (number: number, url: URL) => boolean, delay: number): Strange {
  return (fetch) => {
    const seen = new Map<string, Known>();
    let staleUntil = 0;
    let number = 0;
    return async (input) => {
      number += 1;
      if (isWrite(input)) {
        staleUntil = number + delay;
        return fetch(input);
      }
      const key = `${input.url} ${input.headers.get("authorization") ?? ""}`;
      const old = seen.get(key);
      const isStale = number <= staleUntil && isLate(number, new URL(input.url));
      if (isStale && old !== undefined) return respondAgain(old);
      const response = await fetch(input);
      seen.set(key, { status: response.status, text: await response.clone().text() });
      return response;
    };
  };
}

const LISTS =
  /\/(stores|contacts|expectations|expositions|protocols|photos|vehicles|vehicle-groups|vehicle-fields|inspections|inspection-templates|damages|driver-assignments)$/;

function isList({ pathname }: URL): boolean {
  return LISTS.test(pathname);
}

/** Each URL has its old response for a number of GETs after a write to any path. */
function visibleAfterReads(reads: number): Strange {
  return (fetch) => {
    const seen = new Map<string, Known & { left: number }>();
    return async (input) => {
      if (isWrite(input)) {
        for (const one of seen.values()) one.left = reads;
        return fetch(input);
      }
      const key = `${input.url} ${input.headers.get("authorization") ?? ""}`;
      const old = seen.get(key);
      if (old !== undefined && old.left > 0) {
        old.left -= 1;
        return respondAgain(old);
      }
      const response = await fetch(input);
      seen.set(key, { status: response.status, text: await response.clone().text(), left: 0 });
      return response;
    };
  };
}

/** The first response of each URL or path is an empty list. */
function coldStart(keyOf: (url: URL) => string): Strange {
  return (fetch) => {
    const warm = new Set<string>();
    const empty = changeRows(fetch, () => []);
    return async (input) => {
      const key = keyOf(new URL(input.url));
      if (warm.has(key) || isWrite(input)) return fetch(input);
      warm.add(key);
      return empty(input);
    };
  };
}

/** Every path takes some requests of each window; more are 429. */
function limitRoutes(most: number, window: number): Strange {
  return (fetch) => {
    const counts = new Map<string, number>();
    let number = 0;
    return async (input) => {
      number += 1;
      if (number % window === 0) counts.clear();
      const { pathname } = new URL(input.url);
      const count = (counts.get(pathname) ?? 0) + 1;
      counts.set(pathname, count);
      if (count <= most) return fetch(input);
      const { status, body } = respondWith(429, "RATE")(input);
      return new Response(body, {
        status,
        headers: { "retry-after": "0", "content-type": "application/json" },
      });
    };
  };
}

function textOf(row: JsonObject): string {
  const { id, storeId, protocolId, photoId, imageId } = row;
  return JSON.stringify(id ?? protocolId ?? photoId ?? imageId ?? storeId ?? "");
}

/** Lists lack some rows, always the same ones. */
const incomplete: Strange = (fetch) =>
  changeRows(fetch, (rows) => rows.filter((row) => !isObject(row) || textOf(row).charCodeAt(5) % 4 !== 0));

/** Another program writes to what the last requests were about. */
function meddling(every: number, methods: readonly string[]): Strange {
  return (fetch, random) => {
    const written: Request[] = [];
    let number = 0;
    return async (input) => {
      number += 1;
      if (number % every === 0) {
        const chosen = written[Math.floor(random() * written.length)];
        if (chosen !== undefined) await fetch(chosen.clone());
      }
      if (methods.includes(input.method) && written.length < 50) written.push(input.clone());
      return fetch(input);
    };
  };
}

/** Another program deletes an entity that was just created, or a store's lists. */
const deletingOther: Strange = (fetch, random) => {
  const created: { url: string; headers: Headers }[] = [];
  let number = 0;
  return async (input) => {
    number += 1;
    if (number % 11 === 0 && created.length > 0) {
      const [{ url, headers } = { url: "", headers: new Headers() }] = created.splice(
        Math.floor(random() * created.length),
        1,
      );
      await fetch(new Request(url, { method: "DELETE", headers }));
    }
    const response = await fetch(input);
    const body = input.method === "POST" ? parseJson(await response.clone().text()) : undefined;
    const data = body !== undefined && isObject(body) ? body["data"] : undefined;
    if (response.ok && data !== undefined && isObject(data))
      created.push({ url: `${input.url}/${idOf(data)}`, headers: new Headers(input.headers) });
    return response;
  };
};

/** Another program renames the stores and empties their lists. */
const renaming: Strange = (fetch, random) => {
  const puts = new Map<string, Request>();
  let number = 0;
  return async (input) => {
    number += 1;
    const put = [...puts.values()][Math.floor(random() * puts.size)];
    if (number % 9 === 0 && put !== undefined) {
      const sent = parseJson(await put.clone().text());
      const changed = changeValues(sent ?? null, (value, name) => {
        if (name === "name" || name === "label") return `Renamed ${number}`;
        return name === "expectedFillRatio" ? number % 100 : value;
      });
      const { method, headers } = put;
      await fetch(new Request(put.url, { method, headers, body: JSON.stringify(changed) }));
    }
    if (input.method === "PUT") puts.set(input.url, input.clone());
    return fetch(input);
  };
};

/** A second write to one path within some requests has the response of the first. */
function debounced(window: number): Strange {
  return (fetch) => {
    const last = new Map<string, Known & { until: number }>();
    let number = 0;
    return async (input) => {
      number += 1;
      if (!isWrite(input)) return fetch(input);
      const key = `${input.method} ${input.url}`;
      const known = last.get(key);
      if (known !== undefined && known.until > number) return respondAgain(known);
      const response = await fetch(input);
      const text = await response.clone().text();
      if (response.ok) last.set(key, { status: response.status, text, until: number + window });
      return response;
    };
  };
}

/** Writes are accepted with 202 and an empty body, and take effect later. */
function accepted(after: number): Strange {
  return (fetch) => {
    const waiting: { at: number; input: Request }[] = [];
    let number = 0;
    return async (input) => {
      number += 1;
      for (const one of waiting.splice(0)) {
        if (one.at <= number) await fetch(one.input);
        else waiting.push(one);
      }
      if (!isWrite(input)) return fetch(input);
      waiting.push({ at: number + after, input: input.clone() });
      return Response.json({}, { status: 202 });
    };
  };
}

/** Protocols and photos have another ID in each response, and all of them work. */
const changingIds: Strange = (fetch) => {
  let number = 0;
  const strip = (text: string): string => text.replace(/~\d+$/, "");
  return async (input) => {
    number += 1;
    const url = new URL(input.url);
    url.pathname = url.pathname.split("/").map(strip).join("/");
    const id = url.searchParams.get("protocolId");
    if (id !== null) url.searchParams.set("protocolId", strip(id));
    return changeBody(fetch, (body) =>
      changeValues(body, (value, name) =>
        typeof value === "string" && /^(protocolId|photoId|imageId)$/.test(name)
          ? `${value}~${number}`
          : value,
      ),
    )(new Request(url, input));
  };
};

/** A gateway that knows the documented parameters and takes no others. */
function rejecting(isRejected: (url: URL, input: Request) => boolean, status = 400): Strange {
  const issues = [{ path: "request", message: "Not allowed" }];
  return (fetch) => async (input) => {
    const url = new URL(input.url);
    if (!isRejected(url, input)) return fetch(input);
    const isStore = url.hostname.startsWith("stores");
    const error = { code: isStore ? "validation_failed" : "REJECTED", message: "Not allowed" };
    return Response.json(isStore ? { error: { ...error, issues } } : { errors: [error] }, { status });
  };
}

/** Some GETs that were sent before have status 304, as of a proxy that mistakes its own cache for that of the client. */
function notModified(period: number): Strange {
  return (fetch) => {
    const seen = new Set<string>();
    let number = 0;
    return async (input) => {
      number += 1;
      if (!isWrite(input) && seen.has(input.url) && number % period === 0)
        return new Response(null, { status: 304, headers: { etag: '"1"' } });
      seen.add(input.url);
      return fetch(input);
    };
  };
}

/** Long bodies end early. */
function cutBodies(length: number): Strange {
  return (fetch) => async (input) => {
    const response = await fetch(input);
    const text = await response.text();
    const { status, headers } = response;
    return new Response(text === "" ? null : text.slice(0, length), { status, headers });
  };
}

/** Rows that were replaced stay in the lists of a store, with a mark. */
const keptRows: Strange = (fetch) => {
  const old = new Map<string, Json[]>();
  return async (input) => {
    const { pathname } = new URL(input.url);
    if (!/\/(contacts|expectations)$/.test(pathname)) return fetch(input);
    if (input.method === "PUT") {
      const { headers } = input;
      const before = parseJson(await (await fetch(new Request(input.url, { headers }))).text());
      const rows = before !== undefined && isObject(before) ? before["items"] : undefined;
      if (Array.isArray(rows))
        old.set(pathname, [
          ...(old.get(pathname) ?? []),
          ...rows.map((row: Json) =>
            isObject(row) ? { ...row, deletedAt: "2026-01-01T00:00:00.000Z" } : row,
          ),
        ]);
    }
    const more = old.get(pathname) ?? [];
    return changeBody(fetch, (body) => {
      if (!isObject(body) || !Array.isArray(body["items"])) return body;
      const items: readonly Json[] = body["items"];
      return { ...body, items: [...items, ...more] };
    })(input);
  };
};

function decodeTwice(url: URL): void {
  try {
    url.pathname = decodeURIComponent(url.pathname);
  } catch {
    // a percent sign alone stays
  }
}

function lowerCaseQuery(url: URL): void {
  for (const [name, value] of new URLSearchParams(url.search))
    if (name !== "from" && name !== "to") url.searchParams.set(name, value.toLowerCase());
}

function dropEmpty(url: URL): void {
  for (const [name, value] of new URLSearchParams(url.search))
    if (value === "") url.searchParams.delete(name);
}

/** Every row of the fleet comes twice, and counts twice. */
const doubled: Strange = (fetch) =>
  changeBody(fetch, (body) => {
    if (!isObject(body) || !Array.isArray(body["data"])) return body;
    const rows: readonly Json[] = body["data"];
    const { meta = null } = body;
    const total = changeValues(meta, (value, name) =>
      name === "totalCount" && typeof value === "number" ? value * 2 : value,
    );
    return { ...body, data: rows.flatMap((row) => [row, row]), ...(isObject(meta) && { meta: total }) };
  });

/** A GET of what was deleted has the response of a resource with `data: null`. */
const nullAfterDelete: Strange = (fetch) => {
  const deleted = new Set<string>();
  return async (input) => {
    if (input.method === "GET" && deleted.has(input.url))
      return Response.json({ data: null, meta: { version: "v1" } });
    const response = await fetch(input);
    if (input.method === "DELETE" && response.ok) deleted.add(input.url);
    return response;
  };
};

/** Writes whose body is changed. */
function rewritten(change: (body: JsonObject, input: Request) => JsonObject): Strange {
  return (fetch) => async (input) => {
    const sent = isWrite(input) ? parseJson(await input.clone().text()) : undefined;
    if (sent === undefined || !isObject(sent)) return fetch(input);
    const { method, headers } = input;
    return fetch(new Request(input.url, { method, headers, body: JSON.stringify(change(sent, input)) }));
  };
}

function lastOf(rows: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(rows) ? rows.slice(-1) : undefined;
}

const OFFSET = 2 * 3_600_000;

function withOffset(time: Date): string {
  return new Date(time.getTime() + OFFSET).toISOString().replace("Z", "+02:00");
}

/** Totals that are estimates. */
const estimates = shown((value, name) => {
  if (typeof value !== "number" || !/^total(Count|Pages)$/.test(name)) return value;
  return name === "totalCount" ? Math.ceil(value / 10) * 10 : value + 1;
});

const DAY = 86_400_000;

const STRANGE_DATA: Readonly<Record<string, Strange>> = {
  "lists that lag behind details": lagging((_, url) => isList(url), 6),
  "details that lag behind lists": lagging((_, url) => !isList(url), 6),
  "one of two replicas that lags": lagging((number) => number % 2 === 0, 8),
  "a replica that lags for long": lagging((number) => number % 3 === 0, 40),
  "writes that show after two reads": visibleAfterReads(2),
  "writes that show after one read": visibleAfterReads(1),
  "a cold cache for each URL": coldStart(({ href }) => href),
  "a cold cache for each path": coldStart(({ pathname }) => pathname),
  "numbers that are rounded": shown((value) => (typeof value === "number" ? Math.round(value) : value)),
  "numbers that are rounded to tens": shown((value, name) =>
    typeof value === "number" && /rate|ratio|percent/i.test(name) ? Math.round(value / 10) * 10 : value,
  ),
  "times without milliseconds": times((time) => time.toISOString().replace(/\.\d+Z/, "Z")),
  "times that are cut to minutes": times((time) => `${time.toISOString().slice(0, 16)}:00.000Z`),
  "times that are cut to days": times((time) => `${time.toISOString().slice(0, 10)}T00:00:00.000Z`),
  "times with an offset": times(withOffset),
  "times that are two hours off": times((time) => new Date(time.getTime() + OFFSET).toISOString()),
  "ranges that are two hours off": bounds((bound) => new Date(bound.getTime() + OFFSET)),
  "ranges that are cut to minutes": bounds(
    (bound) => new Date(Math.floor(bound.getTime() / 60_000) * 60_000),
  ),
  "ranges that are rounded up to minutes": bounds(
    (bound) => new Date(Math.ceil(bound.getTime() / 60_000) * 60_000),
  ),
  "ranges of fill rates that are cut to hours": bounds((bound, _, url) =>
    url.pathname.includes("fill-rate")
      ? new Date(Math.floor(bound.getTime() / 3_600_000) * 3_600_000)
      : bound,
  ),
  "ranges whose end is the end of its day": bounds((bound, name) =>
    name === "to" ? new Date(Math.ceil(bound.getTime() / DAY) * DAY) : bound,
  ),
  "ranges that are cut to 30 days": bounds((bound, name, url) => {
    const from = Date.parse(url.searchParams.get("from") ?? "");
    return name === "to" && bound.getTime() - from > 30 * DAY ? new Date(from + 30 * DAY) : bound;
  }),
  "ranges that begin a year ago at the earliest": bounds((bound, name) =>
    name === "from" ? new Date(Math.max(bound.getTime(), Date.now() - 365 * DAY)) : bound,
  ),
  "photos without a status filter": ignored(/\/photos$/, "status"),
  "photos without a protocol filter": ignored(/\/photos$/, "protocolId"),
  "protocols without a status filter": ignored(/\/protocols$/, "status"),
  "fields without a search": ignored(/\/vehicle-fields$/, "search"),
  "vehicles of fields without a search": ignored(/\/vehicle-fields\/[^/]+\/vehicles$/, "search", "status"),
  "fill rates without a status": ignored(/fill-rate/, "status"),
  "templates without filters": ignored(/\/inspection-templates$/, "isActive", "search", "title"),
  "fill rates without bounds of one store": ignored(/\/stores\/.*fill-rate/, "from", "to"),
  "another default limit": routed((url, { method }) => {
    if (method === "GET" && isList(url) && !url.searchParams.has("limit") && !url.searchParams.has("cursor"))
      url.searchParams.set("limit", "7");
  }),
  "pages of at least 10": routed((url) => {
    const limit = url.searchParams.get("limit");
    if (limit !== null && /^\d+$/.test(limit) && Number(limit) > 0 && Number(limit) < 10)
      url.searchParams.set("limit", "10");
  }),
  "external IDs in any case": routed((url) => {
    url.pathname = url.pathname.replace(/\/stores\/([^/]+)/, (part) =>
      part.toUpperCase().replace("STORES", "stores"),
    );
  }),
  "a gateway that drops empty parameters": routed(dropEmpty),
  "a gateway that sorts parameters": routed((url) => {
    url.search = String(
      new URLSearchParams([...url.searchParams].toSorted(([one], [other]) => (one < other ? -1 : 1))),
    );
  }),
  "a gateway that lowers the query": routed(lowerCaseQuery),
  "a gateway that decodes twice": routed(decodeTwice),
  "a gateway that takes the last of equal parameters": routed((url) => {
    for (const name of new Set(url.searchParams.keys()))
      url.searchParams.set(name, url.searchParams.getAll(name).at(-1) ?? "");
  }),
  "a gateway that rejects percent-encoding": rejecting(({ href }) => /%(?!3A|2C)/i.test(href)),
  "a firewall for quotes and angle brackets": rejecting(({ href }) => /%(22|27|3C|3E)/i.test(href), 403),
  "a gateway that limits ranges with errors of its own": rejecting(({ searchParams }) => {
    const [from, to] = ["from", "to"].map((name) => Date.parse(searchParams.get(name) ?? ""));
    return from !== undefined && to !== undefined && (to - from > 366 * DAY || to > Date.now());
  }),
  "a gateway without PATCH": rejecting((_, { method }) => method === "PATCH", 405),
  "a gateway without DELETE": rejecting((_, { method }) => method === "DELETE", 405),
  "a gateway that responds with 304": notModified(3),
  "long responses that are cut": cutBodies(4_000),
  "strings that are trimmed": stored(changeStrings((text) => text.trim())),
  "strings that are cut to 12": stored(
    changeStrings((text, name) => (/id$/i.test(name) ? text : text.slice(0, 12))),
  ),
  "strings that are cut to 64": stored(changeStrings((text) => text.slice(0, 64))),
  "strings in lower case": stored(
    changeStrings((text, name) =>
      /name|title|label|description|email|brand|model/i.test(name) ? text.toLowerCase() : text,
    ),
  ),
  "strings in normal form D": stored(changeStrings((text) => text.normalize("NFD"))),
  "strings that are escaped": stored(
    changeStrings((text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")),
  ),
  "empty strings that are null": stored(changeStrings((text) => (text === "" ? null : text))),
  "strings without leading zeros": stored(changeStrings((text) => text.replace(/^0+(?=\d)/, ""))),
  "null that is omitted in responses": without((value) => value === null),
  "empty arrays that are omitted": without((value) => Array.isArray(value) && value.length === 0),
  "empty strings instead of null": shown((value, name) =>
    value === null && name !== "nextCursor" ? "" : value,
  ),
  "a time and a number in each response": (fetch) => {
    let number = 0;
    return changeBody(fetch, (body) => {
      number += 1;
      if (!isObject(body)) return body;
      const generatedAt = new Date(Date.UTC(2026, 2, 1) + number * 1000).toISOString();
      return { requestId: `request-${number}`, generatedAt, ...body };
    });
  },
  "totals that are estimates": estimates,
  "always a next page": shown((value, name) => (name === "hasNextPage" ? true : value)),
  "a property around": (fetch) =>
    changeBody(fetch, (body) =>
      isObject(body) && !("error" in body) ? { ...body, result: { ...body } } : body,
    ),
  maintenance: sometimes(90, 18, respondWith(503, "MAINTENANCE")),
  "a limit of each route": limitRoutes(4, 25),
  "lists without some rows": incomplete,
  "writes that are repeated later": meddling(7, ["PUT", "PATCH"]),
  "creations that are repeated later": meddling(9, ["POST"]),
  "a program that deletes": deletingOther,
  "a program that renames": renaming,
  "writes that are debounced": debounced(4),
  "writes that are accepted": accepted(4),
  "rows that were replaced": keptRows,
  "IDs that change": changingIds,
  "a gateway that rejects the IDs of a run": rejecting(({ search, pathname }) =>
    /shelfleet-probe/.test(search + pathname.slice(1)),
  ),
  "fill rates without a lower bound": ignored(/fill-rate$/, "minFillRate"),
  "fill rates without an upper bound": ignored(/fill-rate$/, "maxFillRate"),
  "fill rates without groups": ignored(/fill-rate/, "groupBy"),
  "fill rates of all stores": ignored(/fill-rate$/, "externalIds"),
  "a gateway that does not find the IDs of a run": rejecting(
    ({ search, pathname }) => /shelfleet-probe/.test(search + pathname),
    404,
  ),
  "rows and totals that are doubled": doubled,
  "deleted resources that are null": nullAfterDelete,
  "maintenance with an empty object": sometimes(60, 10, () => Response.json({})),
  "lists of one element": rewritten(({ contacts, expectations, ...body }) => {
    const lists = Object.entries({ contacts, expectations }).flatMap(([name, rows]) => {
      const last = lastOf(rows);
      return last === undefined ? [] : [[name, last] as const];
    });
    return { ...body, ...Object.fromEntries(lists) };
  }),
  "creations without notes": rewritten(({ notes, ...body }, { method }) =>
    method === "POST" || notes === undefined ? body : { ...body, notes },
  ),
  "titles that are not stored": stored((value, name) => (name === "friendlyTitle" ? null : value)),
  "stores that are found in capitals": routed((url) => {
    url.pathname = url.pathname.replace(/\/stores\/[^/]+$/, (part) =>
      part.toUpperCase().replace("STORES", "stores"),
    );
  }),
};

/** Everything strange. */
export const ALL_STRANGE: Readonly<Record<string, Strange>> = { ...STRANGE, ...STRANGE_DATA };

/** The gaps of which something strange is itself another reading, or none of the named ones. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  "external IDs in any case": ["stores.external-id-equality"],
  "IDs that change": ["protocols.id-format"],
  "a limit of each route": ["limits.store-rate", "limits.fleet-rate"],
  "writes that are debounced": ["fleet.repeated-post"],
  "fill rates without a lower bound": ["fill-rates.inverted-bounds"],
  "fill rates without an upper bound": ["fill-rates.inverted-bounds"],
  "a gateway that rejects the IDs of a run": ["stores.unknown-cursor"],
  "a gateway that does not find the IDs of a run": ["stores.unknown-cursor"],
  "fill rates of all stores": ["fill-rates.unknown-stores"],
  "stores that are found in capitals": ["stores.external-id-equality"],
  "null that is omitted in responses": [
    "responses.nullable-properties",
    "fleet.absent-properties",
    "fields.no-response",
    "fleet.null-properties",
    // a client sees no property of a filter that was not sent
    "fleet.unsent-filters",
  ],
  "strings that are cut to 12": ["limits.body-size"],
  "strings that are cut to 64": ["limits.body-size"],
  "ranges that are cut to minutes": ["time-range.precision"],
  "ranges that are rounded up to minutes": ["time-range.precision"],
  "ranges of fill rates that are cut to hours": ["time-range.precision"],
};

/** Returns the readings of a service as a client sees them. */
export function readingsBehind(name: string, truth: Readings): Readings {
  const gone = CHANGED[name] ?? [];
  return Object.fromEntries(Object.entries(truth).filter(([gap]) => !gone.includes(gap)));
}
