import { describe, expect, it } from "vitest";
import { optionsFor, probe } from "./run.ts";
import { type Readings, modelSubject } from "./subjects.ts";

interface ResponseOf {
  readonly status: number;
  readonly body: unknown;
}

type Json = Record<string, unknown>;

/** A behavior that no reading of a gap describes. */
interface Mutant {
  readonly gap: string;
  readonly name: string;
  /** Readings under which the change is observable. */
  readonly readings?: Readings;
  /** Changes a response; undefined leaves it unchanged. */
  readonly change: (url: URL, request: Request, response: ResponseOf) => ResponseOf | undefined;
}

function bodyOf({ body }: ResponseOf): Json {
  return typeof body === "object" && body !== null ? (body as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

function renameProperty(rows: unknown, names: readonly string[], to: string): Json[] {
  return list(rows).map((row) => {
    const name = names.find((one) => row[one] !== undefined);
    const { [name ?? ""]: value, ...rest } = row;
    return { [to]: value, ...rest };
  });
}

const storeError = (status: number): ResponseOf => ({
  status,
  body: { error: { code: "other", message: "Other" } },
});
const fleetError = (status: number): ResponseOf => ({
  status,
  body: { errors: [{ code: "OTHER", message: "Other" }] },
});
const LISTS = ["items", "photos", "data", "groups"] as const;

const mutants: readonly Mutant[] = [
  {
    gap: "requests.unknown-properties",
    name: "an unknown parameter is 422",
    change: (url) =>
      url.pathname.startsWith("/v1") && url.searchParams.has("shelfleetProbe") ? storeError(422) : undefined,
  },
  {
    gap: "stores.unknown-cursor",
    name: "an unknown cursor begins at the first store again",
    change: (url, _, response) => {
      const isUnknown =
        url.pathname === "/v1/stores" && (url.searchParams.get("cursor") ?? "").includes("shelfleet-probe");
      const body = { items: [{ storeId: "1", externalId: "S-001" }], nextCursor: null };
      return isUnknown ? { ...response, status: 200, body } : undefined;
    },
  },
  {
    gap: "stores.cursor-start",
    name: "cursors are opaque",
    change: (url, _, response) => {
      const body = bodyOf(response);
      if (url.pathname !== "/v1/stores" || typeof body.nextCursor !== "string") return undefined;
      return { ...response, body: { ...body, nextCursor: btoa(body.nextCursor) } };
    },
  },
  {
    gap: "protocols.id-property",
    name: "the ID of a protocol is its property key",
    readings: { "protocols.id-property": "protocolId" },
    change: (url, _, response) => {
      if (!url.pathname.endsWith("/protocols") || response.status !== 200) return undefined;
      const body = bodyOf(response);
      return {
        ...response,
        body: { ...body, items: renameProperty(body.items, ["protocolId", "id"], "key") },
      };
    },
  },
  {
    gap: "photos.page-shape",
    name: "photos are in a property named results",
    readings: { "photos.page-shape": "items-nextCursor" },
    change: (url, _, response) => {
      if (!url.pathname.endsWith("/photos") || response.status !== 200) return undefined;
      const body = bodyOf(response);
      const name = LISTS.find((one) => Array.isArray(body[one]));
      return name === undefined
        ? undefined
        : { ...response, body: { results: body[name], nextCursor: null } };
    },
  },
  {
    gap: "fill-rates.shape",
    name: "fill rates are in a property named rows",
    change: (url, _, response) => {
      if (!/fill-rate/.test(url.pathname) || response.status !== 200) return undefined;
      const { groups, items, ...rest } = bodyOf(response);
      return { ...response, body: { ...rest, rows: groups ?? items } };
    },
  },
  {
    gap: "fill-rates.calculation",
    name: "fill rates are per mille",
    change: (url, _, response) => {
      const body = bodyOf(response);
      const name = LISTS.find((one) => Array.isArray(body[one]));
      if (!/fill-rate/.test(url.pathname) || response.status !== 200 || name === undefined) return undefined;
      const rows = list(body[name]).map((row) => ({ ...row, fillRate: 150 + Number(row.fillRate) }));
      return { ...response, body: { ...body, [name]: rows } };
    },
  },
  {
    gap: "fill-rates.inverted-bounds",
    name: "inverted bounds are exchanged",
    change: (url, _, response) => {
      if (url.searchParams.get("minFillRate") !== "60" || url.searchParams.get("maxFillRate") !== "40")
        return undefined;
      return { ...response, status: 200, body: { groups: [{ externalId: "S-001", fillRate: 50 }] } };
    },
  },
  {
    gap: "time-range.inverted",
    name: "an inverted range is exchanged",
    change: (url, _, response) => {
      const [from = "", to = ""] = ["from", "to"].map((name) => url.searchParams.get(name) ?? "");
      const isInverted = from > to;
      return isInverted
        ? { ...response, status: 200, body: { items: [{ protocolId: "1" }], nextCursor: null } }
        : undefined;
    },
  },
  {
    gap: "fill-rates.exposition-id",
    name: "a malformed exposition ID has no fill rates",
    change: (url) =>
      url.pathname.includes("/not-a-uuid/") ? { status: 200, body: { groups: [] } } : undefined,
  },
  {
    gap: "fleet.page-past-end",
    name: "a page after the last is the first",
    change: (url, _, response) => {
      const isPast = Number(url.searchParams.get("page")) > 5 && url.searchParams.get("limit") === "1";
      const pagination = {
        currentPage: 1,
        totalPages: 3,
        totalCount: 3,
        hasNextPage: true,
        hasPreviousPage: false,
      };
      return isPast
        ? { ...response, status: 200, body: { data: [{ id: "1" }], meta: { version: "v1", pagination } } }
        : undefined;
    },
  },
  {
    gap: "fleet.limit-out-of-range",
    name: "a limit of 0 is the default",
    change: (url, _, response) => {
      const isZero = url.searchParams.get("limit") === "0" || url.searchParams.get("page") === "0";
      const pagination = {
        currentPage: 7,
        totalPages: 9,
        totalCount: 30,
        hasNextPage: true,
        hasPreviousPage: true,
      };
      const data = [{ id: "1" }, { id: "2" }];
      return isZero
        ? { ...response, status: 200, body: { data, meta: { version: "v1", pagination } } }
        : undefined;
    },
  },
  {
    gap: "fleet.malformed-ids",
    name: "a malformed ID is 422",
    change: (url) => (/\/inspections\/(not-a-uuid|12345)$/.test(url.pathname) ? fleetError(422) : undefined),
  },
  {
    gap: "fleet.version-header",
    name: "a request without version is 426",
    change: (_, request) =>
      request.url.includes("fleet") && !request.headers.has("x-service-api-version")
        ? fleetError(426)
        : undefined,
  },
  {
    gap: "fleet.unsent-filters",
    name: "an unsent filter is a star",
    change: (url, _, response) => {
      const body = bodyOf(response);
      const { meta } = body;
      if (!/vehicle-fields/.test(url.pathname) || url.searchParams.has("search") || meta === undefined)
        return undefined;
      return { ...response, body: { ...body, meta: { ...(meta as Json), filters: { search: false } } } };
    },
  },
  {
    gap: "templates.title-filter",
    name: "the title search has another name",
    change: (url, _, response) => {
      const isSearch = url.searchParams.has("search") || url.searchParams.has("title");
      const meta = {
        version: "v1",
        pagination: {
          currentPage: 1,
          totalPages: 1,
          totalCount: 2,
          hasNextPage: false,
          hasPreviousPage: false,
        },
      };
      const body = {
        data: [
          { id: "1", isActive: true },
          { id: "2", isActive: true },
        ],
        meta,
      };
      return url.pathname.endsWith("/inspection-templates") && isSearch
        ? { ...response, status: 200, body }
        : undefined;
    },
  },
  {
    gap: "fleet.delete-response",
    name: "a DELETE is accepted for later",
    change: (_, request, { status }) =>
      request.method === "DELETE" && status < 300 ? { status: 202, body: { data: {} } } : undefined,
  },
  {
    gap: "fleet.create-status",
    name: "a POST is accepted for later",
    change: (_, request, response) =>
      request.method === "POST" && response.status < 300 ? { ...response, status: 202 } : undefined,
  },
  {
    gap: "stores.body-external-id",
    name: "another external ID is a conflict",
    change: (url, request, response) => {
      const body = bodyOf(response);
      const isPut =
        request.method === "PUT" && url.pathname === "/v1/stores/S-002" && response.status === 200;
      return isPut && request.headers.get("x-has-id") === "yes"
        ? { ...response, body: { ...body, externalId: "X" } }
        : undefined;
    },
  },
];

/** A fetch whose responses a mutant changes. */
function mutated(fetch: (input: Request) => Promise<Response>, { change }: Mutant) {
  return async (input: Request): Promise<Response> => {
    const hasId = input.method === "PUT" && (await input.clone().text()).includes('"externalId"');
    const request = new Request(input);
    if (hasId) request.headers.set("x-has-id", "yes");
    const response = await fetch(input);
    const text = await response.text();
    const body: unknown = text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined;
    const changed = change(new URL(input.url), request, { status: response.status, body });
    if (changed !== undefined) return Response.json(changed.body, { status: changed.status });
    return new Response(text === "" ? null : text, { status: response.status, headers: response.headers });
  };
}

describe("a behavior that no reading describes", () => {
  it.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
    "never leads to a decided verdict: %s",
    async (_, mutant) => {
      for (const seed of [1, 2]) {
        const subject = modelSubject(seed, 6, mutant.readings);
        const options = optionsFor(subject, "write", "S-002");
        const report = await probe({
          ...options,
          fetch: mutated(options.fetch ?? globalThis.fetch, mutant),
          maxRequests: 300,
        });
        const finding = report.findings.find(({ gap }) => gap === mutant.gap);
        expect(["other", "unknown", "fragile"], `seed ${seed}: ${finding?.reason}`).toContain(
          finding?.verdict,
        );
      }
    },
  );
});
