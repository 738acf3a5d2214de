import { describe, expect, it } from "vitest";
import { imageStatuses, protocolStatuses } from "../../../generated/store.enums.ts";
import { FLEET_LISTS } from "../../mock/state-walk.ts";
import { createTwin } from "../../../src/field/compare/server.ts";
import { ObservedState } from "../../../src/field/compare/state.ts";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../../src/mock/index.ts";

type Json = Record<string, unknown>;
type Readings = NonNullable<ReferenceServerOptions["readings"]>;

const NOW = "2026-03-01T00:00:00Z";
const ALL = "from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z";
const EARLY = "from=2020-01-01T00:00:00Z&to=2026-02-14T12:00:00Z";
const LATE = "from=2026-02-14T12:00:00Z&to=2030-01-01T00:00:00Z";
const WEEK = "from=2026-02-10T00:00:00Z&to=2026-02-17T00:00:00Z";
const RANGES = [ALL, EARLY, LATE, WEEK] as const;

/** A service, whose responses can differ in form from those of the reference server. */
interface Recorded {
  readonly name: string;
  readonly readings?: Readings;
  readonly change?: (row: Json) => Json;
  /** The paths that are not recorded, such as fill rates that cannot be computed from the recorded photos. */
  readonly leftOut?: RegExp;
}

function rename(row: Json, from: string, to: string): Json {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name === from ? to : name, value]));
}

function without(row: Json, ...names: string[]): Json {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

const isTimed = (row: Json): boolean => "createdAt" in row && "status" in row && !("fullName" in row);

const SERVICES: readonly Recorded[] = [
  { name: "the names of the reference server" },
  {
    name: "protocols and photos without a time",
    leftOut: /fill-rate/,
    change: (row) => (isTimed(row) ? without(row, "createdAt", "submittedAt") : row),
  },
  {
    name: "a time of another name",
    change: (row) => (isTimed(row) ? rename(row, "createdAt", "takenAt") : row),
  },
  {
    name: "a time in seconds",
    change: (row) =>
      isTimed(row) ? { ...row, createdAt: Date.parse(String(row["createdAt"])) / 1000 } : row,
  },
  {
    name: "photos whose ID is another property",
    change: (row) => ("photoId" in row ? rename(row, "photoId", "id") : row),
  },
  {
    name: "photos without a status and a fill rate",
    leftOut: /fill-rate/,
    change: (row) => ("photoId" in row ? without(row, "status", "fillRate") : row),
  },
  { name: "the newest protocol first", readings: { "protocols.order": "newest-first" } },
  { name: "protocols with another ID property", readings: { "protocols.id-property": "id" } },
  { name: "times without offset", readings: { "date-times.forms": "responses-without-offset" } },
  { name: "another photo page", readings: { "photos.page-shape": "data-cursor" } },
  { name: "absent nullable properties", readings: { "responses.nullable-properties": "absent" } },
  { name: "absent objects", readings: { "fleet.absent-properties": "absent" } },
  { name: "objects that are null", readings: { "fleet.absent-properties": "null-objects" } },
  { name: "full templates", readings: { "inspections.template-properties": "full" } },
  { name: "options that are objects", readings: { "templates.options": "objects" } },
  {
    name: "inspections whose templates were not recorded",
    leftOut: /^\/inspection-templates/,
    // other IDs than those of the templates that the twin invents
    change: (row) => JSON.parse(JSON.stringify(row).replaceAll('"template-', '"t-')) as Json,
  },
  { name: "whole lists", readings: { "lists.undocumented": "whole" } },
];

function isList(row: Json): boolean {
  return "meta" in row || Array.isArray(row["items"]) || Array.isArray(row["photos"]);
}

function withOffset(row: Json): Json {
  const entries = Object.entries(row).map(([name, value]) => {
    const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
    return [name, isTime ? new Date(Date.parse(value)).toISOString().replace("Z", "+00:00") : value] as const;
  });
  return Object.fromEntries(entries);
}

/** Services of which only a recorded response shows the form. */
const FURTHER_SERVICES: readonly Recorded[] = [
  {
    name: "a store type that the contract does not list",
    change: (row) => ("storeType" in row ? { ...row, storeType: "kiosk" } : row),
  },
  {
    name: "further properties of lists",
    change: (row) => (isList(row) ? { ...row, total: 17, links: { self: "/here" } } : row),
  },
  {
    name: "further properties of rows",
    change: (row) => ("storeId" in row || "id" in row ? { ...row, more: { inner: [1, null] } } : row),
  },
  { name: "times with an offset", change: withOffset },
  {
    name: "rows without IDs",
    change: (row) => ("photoId" in row || "protocolId" in row ? without(row, "photoId", "protocolId") : row),
  },
  { name: "protocols without IDs", readings: { "protocols.id-property": "anonymous" } },
  {
    name: "numbers as text",
    change: (row) => ("fillRate" in row ? { ...row, fillRate: String(row["fillRate"]) } : row),
  },
  {
    name: "null where the contract has none",
    change: (row) => ("openingTimes" in row ? { ...row, openingTimes: null, name: null } : row),
  },
  { name: "signed URLs", readings: { "photos.urls": "signed", "fleet.file-urls": "signed" } },
];

function changed(value: unknown, change: (row: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  if (typeof value !== "object" || value === null) return value;
  const row = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, change)]));
  return change(row);
}

/** Sends GETs to one server, with a change of its responses. */
class Reader {
  readonly #ref: ReferenceServer;
  readonly #change: (row: Json) => Json;

  constructor(ref: ReferenceServer, change: (row: Json) => Json = (row) => row) {
    this.#ref = ref;
    this.#change = change;
  }

  async get(api: "store" | "fleet", path: string): Promise<{ status: number; json: Json }> {
    const [base, secret] =
      api === "store"
        ? [this.#ref.storeUrl, this.#ref.token]
        : [this.#ref.fleetUrl, this.#ref.keys[0]?.key ?? ""];
    const response = await this.#ref.fetch(base + path, { headers: { authorization: `Bearer ${secret}` } });
    const json = changed(await response.json(), this.#change) as Json; // a JSON object
    return { status: response.status, json };
  }
}

/** The property of a page with the cursor of the next one. */
const CURSORS = ["nextCursor", "cursor"] as const;

/** A recorded request: a page is named by the path of its first page and its number. */
interface Page {
  readonly api: "store" | "fleet";
  readonly path: string;
  readonly page: number;
  readonly sent: string;
  readonly json: Json;
}

/** Reads a path and the pages after it. */
async function* pagesOf(reader: Reader, api: "store" | "fleet", path: string): AsyncGenerator<Page, void> {
  let next = path;
  for (let page = 0; page < 40; page += 1) {
    const { json } = await reader.get(api, next);
    const cursor = CURSORS.map((name) => json[name]).find((one) => typeof one === "string");
    yield { api, path, page, sent: next, json };
    if (cursor === undefined) return;
    next = `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
  }
}

function rowsIn(json: Json): Json[] {
  const list = [json["items"], json["data"], json["photos"]].find((one) => Array.isArray(one));
  return (list ?? []) as Json[];
}

async function storePaths(reader: Reader): Promise<string[]> {
  const { json } = await reader.get("store", "/v1/stores?limit=100");
  const ids = rowsIn(json).flatMap(({ externalId }) => (typeof externalId === "string" ? [externalId] : []));
  const paths = ["/v1/stores?limit=100", "/v1/stores?limit=2"];
  for (const id of ids) {
    const store = `/v1/stores/${id}`;
    paths.push(store, ...["contacts", "expectations", "expositions"].map((list) => `${store}/${list}`));
    for (const range of RANGES)
      for (const list of ["protocols", "photos", "fill-rates"])
        paths.push(`${store}/${list}?${range}`, `${store}/${list}?${range}&status=completed`);
    for (const range of RANGES) paths.push(`${store}/protocols?${range}&limit=2`);
    paths.push(`${store}/photos?${ALL}&limit=3`);
    for (const status of protocolStatuses) paths.push(`${store}/protocols?${ALL}&status=${status}`);
    for (const status of imageStatuses) paths.push(`${store}/photos?${ALL}&status=${status}`);
    const protocols = rowsIn((await reader.get("store", `${store}/protocols?${ALL}`)).json);
    for (const row of protocols) {
      const protocol = String(row["protocolId"] ?? row["id"]);
      paths.push(`${store}/protocols/${protocol}`, `${store}/photos?${ALL}&protocolId=${protocol}`);
    }
    const expositions = rowsIn((await reader.get("store", `${store}/expositions`)).json);
    for (const { expositionId } of expositions) {
      paths.push(`${store}/photos?${ALL}&expositionId=${String(expositionId)}`);
      paths.push(`${store}/expositions/${String(expositionId)}/fill-rate?${ALL}`);
    }
  }
  for (const groupBy of ["store", "expositionType", "day", "week"])
    for (const more of ["", "&minFillRate=40", "&belowExpectationOnly=true"])
      paths.push(`/v1/fill-rate?${ALL}&externalIds=${ids.join(",")}&groupBy=${groupBy}${more}`);
  return paths;
}

async function fleetPaths(reader: Reader): Promise<string[]> {
  const paths: string[] = [];
  for (const list of FLEET_LISTS) {
    const { json } = await reader.get("fleet", `/${list}?limit=100`);
    paths.push(`/${list}?limit=100`, ...[1, 2, 3].map((page) => `/${list}?limit=2&page=${page}`));
    for (const { id } of rowsIn(json)) {
      if (list === "vehicle-fields") paths.push(`/${list}/${String(id)}/vehicles?limit=100`);
      else paths.push(`/${list}/${String(id)}`);
    }
  }
  for (const isActive of ["true", "false"])
    paths.push(`/inspection-templates?limit=100&isActive=${isActive}`);
  paths.push("/vehicle-fields?search=e", "/vehicle-fields?search=nothing-has-this");
  return paths;
}

async function recordAll(reader: Reader): Promise<Page[]> {
  const pages: Page[] = [];
  for (const path of new Set(await storePaths(reader)))
    for await (const page of pagesOf(reader, "store", path)) pages.push(page);
  for (const path of await fleetPaths(reader)) {
    const { status, json } = await reader.get("fleet", path);
    if (status === 200) pages.push({ api: "fleet", path, page: 0, sent: path, json });
  }
  return pages;
}

/** Records a service; returns the recorded pages, and what they show. */
async function recordService({ readings = {}, change, leftOut }: Recorded) {
  const ref = createReferenceServer({ seed: 7, now: NOW, readings, store: { stores: 3 } });
  const all = await recordAll(new Reader(ref, change));
  const recorded = all.filter(({ path }) => leftOut === undefined || !leftOut.test(path));
  const state = new ObservedState();
  for (const { api, sent, json } of recorded) {
    const { pathname, searchParams } = new URL(sent, "https://service.test");
    const query = Object.fromEntries(searchParams);
    state.add({ api, method: "GET", path: pathname, query, status: 200, json });
  }
  expect(recorded.length).toBeGreaterThan(250);
  return { recorded, recording: { readings, seed: state.seed({ ...readings }), responses: state.responses } };
}

/** Sends the recorded requests to a server; returns where its responses differ. */
async function differencesOf(
  ref: ReferenceServer,
  recorded: readonly Page[],
  expectedOf: (page: Page | undefined, json: Json) => Json,
): Promise<string[]> {
  const reader = new Reader(ref);
  const differing: string[] = [];
  for (const path of new Set(recorded.map((one) => `${one.api} ${one.path}`))) {
    const [api, own] = path.split(" ") as ["store" | "fleet", string]; // joined above
    const pages = recorded.filter((one) => one.api === api && one.path === own);
    let at = 0;
    const responses =
      api === "store" ? pagesOf(reader, api, own) : [{ json: (await reader.get(api, own)).json }];
    for await (const { json } of responses) {
      const expected = expectedOf(pages[at], json);
      const difference = firstDifference(withoutCursor(expected), withoutCursor(json));
      if (difference !== "") differing.push(`${path} page ${at}: ${difference}`);
      at += 1;
    }
    if (at !== pages.length) differing.push(`${path}: ${at} of ${pages.length} pages`);
  }
  return differing;
}

describe("a server with the rows of recorded traffic", () => {
  it.each(SERVICES)("returns what was recorded of a service with $name", async (service) => {
    const { recorded, recording } = await recordService(service);
    const { readings, seed } = recording;
    const ref = createReferenceServer({ ...seed, readings, now: NOW });
    const differing = await differencesOf(ref, recorded, (page, json) => withDetails(page, recorded, json));
    expect(differing.slice(0, 6), `${differing.length} of ${recorded.length}`).toEqual([]);
  });
});

describe("a twin of recorded traffic", () => {
  it.each([...SERVICES, ...FURTHER_SERVICES])(
    "returns exactly what was recorded of a service with $name",
    async ({ leftOut: _, ...service }) => {
      const { recorded, recording } = await recordService(service);
      const { ref } = createTwin(recording, { now: NOW });
      const differing = await differencesOf(ref, recorded, (page) => page?.json ?? {});
      expect(differing.slice(0, 6), `${differing.length} of ${recorded.length}`).toEqual([]);
    },
  );
});

/** The rows of a fleet list may also have the properties of their recorded details. */
function withDetails(
  { api, path = "", json = {} }: Partial<Page> = {},
  recorded: readonly Page[],
  twin: Json,
): Json {
  const list = path.split("?")[0] ?? "";
  const { data } = json;
  if (api !== "fleet" || !Array.isArray(data)) return json;
  const rows = (data as Json[]).map((row, at) => {
    const detail = recorded.find((one) => one.path === `${list}/${String(row["id"])}`)?.json["data"];
    return withShown(row, detail, rowsIn(twin)[at]);
  });
  return { ...json, data: rows };
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/** A listed value with the properties of its detail that the twin shows, also in its objects and elements. */
function withShown(listed: unknown, detail: unknown, twin: unknown): unknown {
  if (!isJson(listed) || !isJson(detail) || !isJson(twin)) return listed;
  if (Array.isArray(listed)) return listed.map((one, at) => withShown(one, detail[at], twin[at]));
  const shown = Object.keys(twin).filter((name) => name in detail);
  const entries = shown.map((name) => [
    name,
    name in listed ? withShown(listed[name], detail[name], twin[name]) : detail[name],
  ]);
  return { ...listed, ...Object.fromEntries(entries) };
}

/** Cursors are opaque: only their presence is compared. */
function withoutCursor(json: Json): Json {
  const name = CURSORS.find((one) => one in json);
  return name === undefined ? json : { ...json, [name]: json[name] === null };
}

/** The same value with sorted property names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}

function firstDifference(a: unknown, b: unknown, place = ""): string {
  if (JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))) return "";
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null)
    return `${place}: ${JSON.stringify(a)} became ${JSON.stringify(b)}`.slice(0, 300);
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference((a as Json)[name], (b as Json)[name], `${place}/${name}`);
    if (found !== "") return found;
  }
  return "";
}
