import { describe, expect, it } from "vitest";
import { type Disturbances, type Fetch, disturb } from "../../models/disturbances.ts";
import { fleetGaps, storeGaps } from "../../models/readings.ts";
import { type ConsentName, fetchOf, optionsFor, probe, wrongIn } from "./run.ts";
import { withRemovals } from "./settings.ts";
import { ALL_STRANGE } from "./strange-data.ts";
import { emptySearches, usedUp } from "./strange-services.ts";
import { type Readings, type Subject, modelSubject, referenceSubject } from "./subjects.ts";

type Json = Record<string, unknown>;

const STORE = {
  storeId: "4e2f1f7a-1111-4a4a-8b8b-000000000002",
  name: "Kiosk",
  location: null,
  regionId: null,
  storeType: null,
  openingTimes: [],
  protocolScheduleId: "4e2f1f7a-1111-4a4a-8b8b-000000000001",
  protocolCronEnabled: false,
  onboardingComplete: false,
  loginCode: "1",
};
const STORE_IDS = ["A", "B", "C", "D", null, null, null] as const;

/** A page of stores, of which those without external ID are last. */
function pageOfStores(query: URLSearchParams, reading: "last-not-null" | "null-early"): Response {
  const cursor = query.get("cursor");
  const start = cursor === null ? 0 : STORE_IDS.findIndex((id) => id === cursor) + 1;
  const ids = STORE_IDS.slice(start).slice(0, Number(query.get("limit") ?? 100));
  const named = reading === "null-early" ? ids.at(-1) : ids.findLast((id) => id !== null);
  const isEnd = start + ids.length >= STORE_IDS.length;
  return Response.json({
    items: ids.map((externalId) => ({ ...STORE, externalId })),
    nextCursor: isEnd ? null : (named ?? null),
  });
}

/** A service that led the probe to a wrong verdict. */
interface Cause {
  readonly name: string;
  readonly gaps: readonly string[];
  readonly consent?: ConsentName;
  /** The store that writes change. Default: a new one. */
  readonly scratchStore?: string;
  readonly readings?: Readings;
  /** Default: the model. */
  readonly make?: typeof modelSubject | typeof referenceSubject;
  readonly seeds?: readonly number[];
  /** Default: 300. */
  readonly maxRequests?: number;
  readonly disturbances?: Disturbances | ((subject: Subject) => Disturbances);
  /** Changes a successful response. */
  readonly change?: (url: URL, body: Json, method: string) => Json;
  /** Responds instead of the service. */
  readonly respond?: (url: URL) => Response | undefined;
  /** The number of the first request for protocols whose list is empty. */
  readonly isEmptyFrom?: number;
  /** The name of something between the probe and the service. */
  readonly strange?: string;
  /** Changes a whole response. */
  readonly rewrite?: (response: Response) => Response;
  /** Whether GETs have responses of a cache that only looks at the URL. */
  readonly hasUrlCache?: boolean;
}

function mapItems(body: Json, map: (row: Json, at: number) => Json): Json {
  const { items } = body;
  return Array.isArray(items) ? { ...body, items: items.map((row: Json, at) => map(row, at)) } : body;
}

function removalAt(at: number): (subject: Subject) => Disturbances {
  return (subject) => ({ removal: { at, remove: () => subject.remove?.(() => 0) } });
}

const UUID = "5c4ed01e-0000-4000-a000-0000000000";
const FORBIDDEN = { errors: [{ code: "FORBIDDEN", message: "Not allowed" }] };

/** A service whose strict readings a gateway could hide. */
const STRICT = {
  "fleet.version-header": "required",
  "fleet.unknown-version": "rejected",
  "lists.unknown-filters": "rejected",
  "time-range.inverted": "reject",
  "templates.get-one": "absent",
  "date-times.forms": "rfc3339",
} as const;

const causes: readonly Cause[] = [
  {
    name: "a gateway that makes 200 of the status of errors",
    gaps: Object.keys(STRICT),
    readings: STRICT,
    rewrite: ({ status, headers, body }) =>
      new Response(body, { status: status >= 400 && status !== 401 ? 200 : status, headers }),
  },
  ...[3, 4, 5].map((isEmptyFrom) => ({
    name: `lists of protocols that are empty from request ${isEmptyFrom} on`,
    gaps: ["time-range.ends"],
    readings: { "time-range.ends": "half-open" },
    isEmptyFrom,
  })),
  {
    name: "a gateway that refuses pages far behind the last one",
    gaps: ["fleet.page-past-end"],
    readings: { "fleet.page-past-end": "empty" },
    respond: ({ searchParams }) =>
      Number(searchParams.get("page")) > 6
        ? Response.json({ errors: [{ code: "VALIDATION_ERROR", message: "Too deep" }] }, { status: 400 })
        : undefined,
  },
  {
    name: "pages that are shorter than their limit",
    gaps: ["lists.unfiltered-status"],
    change: (url, body) =>
      url.pathname.endsWith("/protocols") && !url.searchParams.has("status")
        ? {
            ...body,
            items: ((body["items"] ?? []) as Json[]).filter(({ status }) => status === "completed"),
            nextCursor: "more",
          }
        : body,
  },
  {
    name: "a cache that ignores request headers",
    gaps: ["fleet.version-header", "fleet.unknown-version"],
    readings: STRICT,
    hasUrlCache: true,
  },
  {
    name: "one store whose protocol IDs happen to be UUIDs",
    gaps: ["protocols.id-format"],
    readings: { "protocols.id-format": "text", "protocols.id-property": "protocolId" },
    change: (url, body) =>
      url.pathname.endsWith("/S-001/protocols")
        ? mapItems(body, (row, at) => ({ ...row, protocolId: `${UUID}${String(at).padStart(2, "0")}` }))
        : url.pathname.endsWith("/protocols")
          ? { ...body, items: [] }
          : body,
  },
  {
    name: "a time that is sorted the other way",
    gaps: ["protocols.order"],
    readings: { "protocols.order": "oldest-first" },
    change: (url, body) =>
      url.pathname.endsWith("/protocols")
        ? mapItems(body, (row, at) => ({
            syncedAt: new Date(Date.UTC(2026, 5, 1) - at * 1000).toISOString(),
            ...row,
          }))
        : body,
  },
  ...[31, 366].map((rangeDays) => ({
    name: `a limit of ${rangeDays} days for ranges, which may not end in the future`,
    gaps: [
      "fill-rates.unknown-stores",
      "date-times.forms",
      "fill-rates.exposition-id",
      "time-range.inverted",
    ],
    readings: {
      "fill-rates.unknown-stores": "skipped",
      "date-times.forms": "iso-utc",
      "fill-rates.exposition-id": "not-found",
      "time-range.inverted": "empty",
    },
    disturbances: { rangeDays },
  })),
  ...(["day", "second", "ignored"] as const).map((precision) => ({
    name: precision === "ignored" ? "ranges that are ignored" : `ranges that are cut to a ${precision}`,
    gaps: ["time-range.instant", "time-range.ends", "time-zones.meaning"],
    disturbances: { precision },
  })),
  ...[modelSubject, referenceSubject].map((make) => ({
    name: `ranges that are ignored, of at most 31 days (${make.name})`,
    gaps: ["time-range.inverted", "protocols.order"],
    readings: { "time-range.inverted": "empty" },
    make,
    disturbances: { rangeDays: 31, precision: "ignored" as const },
  })),
  {
    name: "a cache of URLs",
    gaps: ["fleet.deleted-resources", "fleet.put", "lists.filters-across-pages", "stores.omitted-fields"],
    consent: "write",
    disturbances: { cache: true },
  },
  {
    name: "vehicles outside the groups of a field",
    gaps: ["fields.no-response"],
    readings: { "fields.no-response": "null-response" },
    change: (url, body) => {
      const rows = (body["data"] ?? []) as Json[];
      if (!url.pathname.endsWith("/vehicles")) return body;
      if (!url.pathname.includes("fields"))
        return { ...body, data: rows.map((row) => ({ ...row, groupIds: ["another-group"] })) };
      const data = rows.filter(({ latestResponse }) => latestResponse !== null);
      const meta = body["meta"] as { pagination: Json };
      return { data, meta: { ...meta, pagination: { ...meta.pagination, totalCount: data.length } } };
    },
  },
  ...[3, 5, 8, 12].map((at) => ({
    name: `a store and entities that are removed before request ${at}`,
    gaps: [
      "protocols.id-property",
      "photos.status",
      "time-range.ends",
      "templates.get-one",
      "stores.unknown-cursor",
    ],
    disturbances: removalAt(at),
  })),
  {
    name: "groups whose properties come in another order in each response",
    gaps: ["fill-rates.bounds"],
    change: (url, body) => {
      const name = ["groups", "items"].find((one) => Array.isArray(body[one]));
      if (!url.pathname.includes("fill-rate") || name === undefined) return body;
      const isBound = url.searchParams.has("minFillRate");
      const rows = (body[name] as Json[]).map((row, at) => {
        const other = { region: `R${isBound ? at + 50 : at}` };
        return isBound ? { ...other, ...row } : { ...row, ...other };
      });
      return { ...body, [name]: rows };
    },
  },
  {
    name: "a property submittedBy that is null",
    gaps: ["time-range.instant"],
    readings: { "time-range.instant": "submission", "photos.page-shape": "no-list" },
    change: (url, body) =>
      url.pathname.endsWith("/protocols") ? mapItems(body, (row) => ({ submittedBy: null, ...row })) : body,
  },
  {
    name: "a 403 for a parameter that no rule allows",
    gaps: ["fleet.unknown-properties", "lists.unknown-filters", "fleet.unknown-version"],
    respond: (url) =>
      url.searchParams.has("shelfleetProbe") ? Response.json(FORBIDDEN, { status: 403 }) : undefined,
  },
  ...["a quota of 403", "a short quota of 403", "a lockout after invalid requests"].map((strange) => ({
    name: strange,
    gaps: [
      "errors.other-statuses",
      "errors.forbidden-details",
      "errors.code-presence",
      "stores.unknown-cursor",
    ],
    consent: "keys" as const,
    readings: { "errors.other-statuses": "listed" },
    strange,
  })),
  ...["a cache by path", "a short cache by path"].map((strange) => ({
    name: strange,
    gaps: [
      "fleet.unknown-version",
      "fleet.search",
      "requests.unknown-properties",
      "fill-rates.unknown-stores",
    ],
    readings: { "requests.unknown-properties": "rejected", "fill-rates.unknown-stores": "rejected" },
    strange,
  })),
  ...[
    "deletions that are ignored",
    "deletions that are late",
    "writes that are ignored",
    "writes that are late",
  ].map((strange) => ({
    name: strange,
    gaps: [
      "fleet.delete-response",
      "fleet.deleted-resources",
      "fleet.patch-content-type",
      "contacts.email-format",
      "stores.unknown-references",
    ],
    consent: "write" as const,
    readings: {
      "fleet.delete-response": "envelope",
      "fleet.deleted-resources": "gone",
      "contacts.email-format": "rfc5321",
    },
    strange,
  })),
  {
    name: "writes that are echoed",
    gaps: ["stores.null-opening-times", "lists.duplicates", "expositions.omitted-title"],
    consent: "write",
    readings: {
      "stores.null-opening-times": "keeps",
      "lists.duplicates": "last-wins",
      "expositions.omitted-title": "kept",
    },
    strange: "writes that are echoed",
  },
  {
    name: "a read-only mode",
    gaps: ["limits.body-size"],
    consent: "write",
    readings: { "limits.body-size": "ten-megabytes", "stores.create-requirements": "none-required" },
    strange: "a read-only mode",
  },
  {
    name: "groups that come twice",
    gaps: ["fill-rates.below-expectation"],
    readings: { "fill-rates.below-expectation": "ignored" },
    strange: "repeated rows",
  },
  {
    name: "IDs in capitals",
    gaps: ["expositions.unknown-id", "stores.unknown-references", "stores.body-external-id"],
    consent: "write",
    readings: { "expositions.unknown-id": "created" },
    strange: "IDs in capitals",
  },
  {
    name: "times of another form in each response and each store",
    gaps: ["date-times.forms"],
    readings: { "date-times.forms": "responses-without-offset" },
    change: (url, body) => ({
      generatedAt: "2026-03-01T00:00:00.000Z",
      ...(url.pathname === "/v1/stores"
        ? mapItems(body, (row) => ({ lastSeenAt: "2026-03-01T00:00:00.000Z", ...row }))
        : body),
    }),
  },
  {
    name: "a list that ignores its search",
    gaps: ["fleet.search"],
    strange: "vehicles of fields without a search",
  },
  {
    name: "ranges whose end is the end of its day, with many requests",
    gaps: ["time-range.precision"],
    readings: {
      "time-range.precision": "millisecond",
      "time-range.ends": "inclusive",
      "time-range.instant": "submission",
    },
    make: referenceSubject,
    // with photos
    seeds: [2, 3, 18],
    maxRequests: 1000,
    strange: "ranges whose end is the end of its day",
  },
  {
    name: "ranges whose end is the end of its day",
    gaps: ["time-range.ends", "time-range.instant"],
    readings: { "time-range.ends": "half-open" },
    strange: "ranges whose end is the end of its day",
  },
  ...(
    [
      ["fill rates without a lower bound", [4, 10]],
      ["fill rates without an upper bound", [17, 37]],
    ] as const
  ).map(([strange, seeds]) => ({
    name: strange,
    gaps: ["fill-rates.bounds"],
    readings: { "fill-rates.bounds": "inclusive" },
    seeds,
    strange,
  })),
  {
    name: "fill rates without groups",
    gaps: ["fill-rates.empty-groups"],
    make: referenceSubject,
    readings: { "fill-rates.empty-groups": "zero-rate" },
    strange: "fill rates without groups",
  },
  {
    name: "a gateway that rejects the IDs of a run",
    gaps: ["fill-rates.unknown-stores"],
    readings: { "fill-rates.unknown-stores": "skipped" },
    strange: "a gateway that rejects the IDs of a run",
  },
  {
    name: "a gateway that does not find the IDs of a run",
    gaps: ["requests.check-order"],
    readings: { "requests.check-order": "invalid-first" },
    maxRequests: 60,
    strange: "a gateway that does not find the IDs of a run",
  },
  {
    name: "fill rates of all stores",
    gaps: ["fill-rates.below-expectation", "weekdays.first"],
    seeds: [9, 21],
    strange: "fill rates of all stores",
  },
  {
    name: "fill rates of all stores, and groups without a photo",
    gaps: ["fill-rates.below-expectation", "weekdays.first"],
    make: referenceSubject,
    seeds: [22, 23],
    strange: "fill rates of all stores",
  },
  {
    name: "lists of protocols that end early",
    gaps: ["lists.unfiltered-status"],
    seeds: [1, 2, 3, 4, 5, 6],
    change: (url, body) =>
      url.pathname.endsWith("/protocols")
        ? { ...body, items: ((body["items"] ?? []) as Json[]).slice(-3), nextCursor: null }
        : body,
  },
  {
    name: "rows and totals that are doubled",
    gaps: ["lists.filters-across-pages"],
    readings: { "lists.filters-across-pages": "repeated", "fleet.page-past-end": "rejected" },
    strange: "rows and totals that are doubled",
  },
  {
    name: "maintenance with an empty object",
    gaps: [
      "fleet.absent-properties",
      "fill-rates.inverted-bounds",
      "scopes.get-damage",
      "scopes.field-vehicles",
    ],
    consent: "keys",
    readings: { "fill-rates.inverted-bounds": "reject", "scopes.get-damage": "prose" },
    strange: "maintenance with an empty object",
  },
  {
    name: "deleted resources that are null",
    gaps: ["fleet.deleted-resources"],
    consent: "write",
    readings: { "fleet.deleted-resources": "gone" },
    strange: "deleted resources that are null",
  },
  {
    name: "lists of one element",
    gaps: ["lists.duplicates"],
    consent: "write",
    readings: { "lists.duplicates": "accepted" },
    strange: "lists of one element",
  },
  {
    name: "creations without notes",
    gaps: ["fleet.patch"],
    consent: "write",
    readings: { "fleet.patch": "partial", "fleet.unknown-properties": "rejected" },
    // more requests would contradict the first ones
    maxRequests: 8,
    strange: "creations without notes",
  },
  {
    name: "photos in the order of their protocols, at times in no order",
    gaps: ["photos.order"],
    make: referenceSubject,
    readings: {
      "photos.order": "oldest-first",
      "time-range.instant": "creation",
      "photos.page-shape": "items-nextCursor",
    },
    change: (url, body) =>
      url.pathname.endsWith("/photos")
        ? mapItems(body, (row, at) => ({
            ...Object.fromEntries(
              Object.entries(row).filter(([, value]) => Number.isNaN(Date.parse(String(value)))),
            ),
            takenAt: new Date(Date.UTC(2026, 5, 1) + ((at * 7) % 11) * 1000).toISOString(),
          }))
        : body,
  },
  {
    name: "a template that has more properties than in the list",
    gaps: ["templates.get-one"],
    readings: { "templates.get-one": "by-path" },
    change: (url, body) =>
      url.pathname.endsWith("/inspection-templates")
        ? { ...body, data: (body["data"] as Json[]).map(({ id }) => ({ id })) }
        : body,
  },
  ...(["last-not-null", "null-early"] as const).map((reading) => ({
    name: `stores without external ID that end the list, on pages of the reading ${reading}`,
    gaps: ["stores.null-cursor"],
    readings: {
      "stores.null-cursor": reading,
      "stores.cursor-start": "after",
      "stores.null-external-id": "listed",
    },
    respond: (url: URL) =>
      url.pathname === "/v1/stores" ? pageOfStores(url.searchParams, reading) : undefined,
  })),
  {
    name: "photos of completed protocols whose images have other statuses",
    gaps: ["lists.unfiltered-status", "photos.urls"],
    make: referenceSubject,
    readings: { "lists.unfiltered-status": "completed-only", "photos.page-shape": "items-nextCursor" },
    change: (url, body) => {
      if (url.pathname.endsWith("/photos"))
        return mapItems(body, (row) => ({ ...row, status: "evaluating" }));
      const isOther = /status=(?!completed)/.test(url.search);
      return url.pathname.endsWith("/protocols") && isOther ? { ...body, items: [] } : body;
    },
  },
  {
    name: "reads of expositions that lag behind their writes",
    gaps: ["expositions.omitted-title"],
    consent: "write",
    scratchStore: "S-3",
    make: referenceSubject,
    readings: { "expositions.omitted-title": "kept", "expositions.disabled": "listed" },
    change: (url, body, method) =>
      url.pathname.endsWith("S-3/expositions") && method === "GET"
        ? mapItems(body, (row) => ({ ...row, friendlyTitle: null, status: "disabled" }))
        : body,
  },
  {
    name: "an array before the list",
    gaps: ["photos.page-shape", "fill-rates.shape"],
    disturbances: { members: true },
  },
];

/** Caches GETs by their URL. */
function cacheUrls(fetch: Fetch): Fetch {
  const cached = new Map<string, Response>();
  return async (input) => {
    const known = cached.get(input.url);
    if (known !== undefined) return known.clone();
    const response = await fetch(input);
    if (input.method === "GET") cached.set(input.url, response.clone());
    return response;
  };
}

function fetchBehind(
  {
    disturbances = {},
    change,
    respond,
    rewrite,
    hasUrlCache = false,
    isEmptyFrom = Number.POSITIVE_INFINITY,
    strange,
  }: Cause,
  subject: Subject,
): Fetch {
  const fetch = fetchOf(subject);
  let lists = 0;
  const changed: Fetch = async (input) => {
    const url = new URL(input.url);
    lists += Number(url.pathname.endsWith("/protocols"));
    if (lists >= isEmptyFrom && url.pathname.endsWith("/protocols"))
      return Response.json({ externalId: "S-001", items: [], nextCursor: null });
    const own = respond?.(url);
    if (own !== undefined) return own;
    const sent = await fetch(input);
    const response = rewrite?.(sent) ?? sent;
    if (change === undefined || !response.ok) return response;
    return Response.json(change(url, (await response.json()) as Json, input.method));
  };
  const behind = strange === undefined ? changed : (ALL_STRANGE[strange]?.(changed, () => 0.2) ?? changed);
  return disturb(
    hasUrlCache ? cacheUrls(behind) : behind,
    typeof disturbances === "function" ? disturbances(subject) : disturbances,
  );
}

describe("the probe", () => {
  it.each(causes)("reports no wrong reading of a service with $name", async (cause) => {
    for (const seed of cause.seeds ?? [1, 2, 3]) {
      const subject = (cause.make ?? modelSubject)(seed, 12, cause.readings);
      const { findings } = await probe({
        ...optionsFor(subject, cause.consent ?? "read", cause.scratchStore),
        fetch: fetchBehind(cause, subject),
        only: cause.gaps,
        maxRequests: cause.maxRequests ?? 300,
      });
      const wrong = findings.filter(
        ({ gap, verdict, reading }) =>
          (reading !== undefined && reading !== subject.truth[gap]) ||
          // an inverted range or one bound that is ignored is not one of the named behaviors
          (verdict === "other" && gap !== "time-range.inverted" && gap !== "fill-rates.bounds"),
      );
      expect(
        wrong.map(({ gap, verdict, reading = "", reason }) => `${gap} ${verdict} ${reading}: ${reason}`),
      ).toEqual([]);
    }
  });
});

describe("a gateway whose errors have another form", () => {
  it("does not take the findings that are not about errors", async () => {
    const subject = modelSubject(1, 12, { "errors.issue-codes": "given" });
    const fetch = ALL_STRANGE["a gateway that limits ranges with errors of its own"]?.(
      fetchOf(subject),
      () => 0,
    );
    const report = await probe({ ...optionsFor(subject, "read"), ...(fetch && { fetch }) });
    expect(wrongIn(report, subject.truth)).toEqual([]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ gap: "errors.issue-codes", verdict: "fragile" }),
    );
    expect(Object.keys(report.readings).length).toBeGreaterThan(30);
  });
});

describe("a response that no reading describes", () => {
  it("is in what an unknown reading needs", async () => {
    const subject = modelSubject(1, 3, { "fleet.deleted-resources": "gone" });
    const fetch = ALL_STRANGE["deleted resources that are null"]?.(fetchOf(subject), () => 0);
    const only = ["fleet.deleted-resources"];
    const report = await probe({
      ...optionsFor(subject, "write"),
      ...(fetch && { fetch }),
      only,
      maxRequests: 12,
    });
    const [finding] = report.findings;
    expect(finding?.needs).toMatch(
      /a reading describes, other than this: A resource after its DELETE: status 200/,
    );
  });
});

describe("a contradiction of one API", () => {
  it("does not take the findings of the other one", async () => {
    const subject = modelSubject(1, 12, { "time-range.inverted": "reject" });
    const second = modelSubject(1, 12, { "time-range.inverted": "empty" });
    const fetch = disturb(fetchOf(subject), { backend: fetchOf(second) });
    const report = await probe({ ...optionsFor(subject, "read"), fetch, maxRequests: 300 });
    const ofApi = (api: string) => report.findings.filter((one) => one.api === api);
    expect(ofApi("store").filter(({ verdict }) => verdict === "decided")).toEqual([]);
    expect(ofApi("fleet").filter(({ reading }) => reading !== undefined).length).toBeGreaterThan(20);
  });
});

/** Refuses three writes in a row. */
function refusingFrom(fetch: Fetch, first: number): Fetch {
  let writes = 0;
  return async (input) => {
    if (input.method !== "PUT") return fetch(input);
    writes += 1;
    if (writes < first || writes > first + 2) return fetch(input);
    return Response.json({ error: { code: "invalid", message: "Not now" } }, { status: 400 });
  };
}

const LENIENT = {
  "requests.unlisted-values": "accepted",
  "stores.unknown-references": "stored",
  "stores.body-external-id": "path-wins",
  "stores.opening-times": "stored",
  "stores.omitted-fields": "keep",
  "contacts.email-format": "lenient",
  "lists.duplicates": "accepted",
  "expositions.unknown-id": "created",
} as const;

describe("a rejection", () => {
  it("proves nothing if the same write without the change is refused as well", async () => {
    const only = Object.keys(LENIENT);
    for (let first = 4; first < 20; first += 1) {
      const subject = referenceSubject(3, 3, LENIENT);
      const fetch = refusingFrom(fetchOf(subject), first);
      const report = await probe({ ...optionsFor(subject, "write"), fetch, only, maxRequests: 32 });
      expect(wrongIn(report, subject.truth)).toEqual([]);
    }
  });

  it.each([
    [400, 45, 15],
    [404, 45, 15],
    [400, 60, 30],
  ])(
    "with status %i proves nothing if a quota is used up for a time (%i, %i)",
    async (status, period, length) => {
      for (const seed of [1, 2, 3, 4]) {
        const subject = modelSubject(seed, 12);
        const fetch = usedUp(status, period, length)(fetchOf(subject), () => seed / 16);
        const report = await probe({ ...optionsFor(subject, "read"), fetch });
        expect(wrongIn(report, subject.truth)).toEqual([]);
      }
    },
  );
});

describe("a search that finds nothing", () => {
  it("proves nothing if a list is sometimes empty", async () => {
    const findings: string[] = [];
    for (const reading of ["part", "whole-value", "every-word"])
      for (let start = 0; start < 8; start += 1) {
        const subject = referenceSubject(2, 12, { "fleet.search": reading });
        const fetch = emptySearches(8)(fetchOf(subject), () => start / 8);
        const report = await probe({
          ...optionsFor(subject, "read"),
          fetch,
          only: ["fleet.search"],
          maxRequests: 9,
        });
        findings.push(...wrongIn(report, subject.truth));
      }
    expect(findings).toEqual([]);
  });
});

describe("two servers that take turns and differ in one gap", () => {
  const all: Record<string, readonly string[]> = { ...storeGaps, ...fleetGaps };
  const gaps = Object.keys(all).filter((gap) => !gap.startsWith("limits."));

  it.each(gaps)("never decide it: %s", async (gap) => {
    const [one = "", other = ""] = all[gap] ?? [];
    const first = modelSubject(1, 12, { [gap]: one });
    const second = modelSubject(1, 12, { [gap]: other });
    second.age?.();
    const { findings } = await probe({
      ...optionsFor(first, "keys"),
      fetch: disturb(fetchOf(first), { backend: fetchOf(second) }),
      only: [gap],
      maxRequests: 200,
    });
    expect(findings.filter(({ verdict }) => verdict === "decided")).toEqual([]);
  });
});

describe("two servers whose protocols have different IDs", () => {
  const ranges = ["time-range.precision", "time-range.ends", "time-range.instant"];

  it.each(ranges)("lead to no wrong reading of %s", async (gap) => {
    for (const make of [modelSubject, referenceSubject])
      for (let seed = 1; seed <= 12; seed += 1) {
        const subject = make(seed, 3, { "protocols.id-format": "text" });
        const backend = fetchOf(make(seed, 3, { "protocols.id-format": "uuid" }));
        for (const asked of [[gap], ranges]) {
          const options = { ...optionsFor(subject, "read"), only: asked, maxRequests: 60 };
          const report = await probe({ ...options, fetch: disturb(fetchOf(subject), { backend }) });
          expect(wrongIn(report, subject.truth), `seed ${seed}`).toEqual([]);
        }
      }
  });
});

describe("a page with only a store without an external ID", () => {
  it("does not show the reading of stores.null-cursor", async () => {
    const seed = 3_300_013;
    const subject = modelSubject(seed, 12);
    const { fetch } = withRemovals(subject, seed, () => subject);
    const report = await probe({ ...optionsFor(subject, "read"), fetch });
    expect(wrongIn(report, subject.truth)).toEqual([]);
  });
});
