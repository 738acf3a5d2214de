import ky from "ky";
import createClient from "openapi-fetch";
import type { ZodMiniType } from "zod/mini";
import { fleetContract } from "../../../generated/fleet.contract.ts";
import type { paths as FleetPaths } from "../../../generated/fleet.ts";
import { storeContract } from "../../../generated/store.contract.ts";
import type { paths as StorePaths } from "../../../generated/store.ts";
import { type Client, type Input, routeOf, runWithClient, type Service } from "./http-job.ts";
import type { Job, Row } from "./job.ts";
import type { Send } from "./openapi-fetch-ky.ts";

/** The documented responses of an operation, which are generated as other tools do it. */
interface Described {
  readonly responses: Readonly<Record<number, { schema: ZodMiniType | null }>>;
}

const contract: Readonly<Record<string, unknown>> = { ...storeContract, ...fleetContract };

const TIMEOUT = 1500;
const STATUSES = [408, 429, 500, 502, 503, 504];

/** Does a task with openapi-fetch, ky and zod, with the checks that an expert adds. */
export function runExpert(job: Job): Promise<void> {
  return runWithClient(job, (service) => {
    const call = callerOf(service);
    const walk = service.api === "store" ? walkCursors : walkPages;
    return { call, list: (operation, input) => walk(call, operation, input), isCareful: true };
  });
}

/** Reads the whole body within the time limit, so that a cut or stalled body is an error of the attempt. */
function readingFetch(fetch: Job["fetch"]): Job["fetch"] {
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT)]);
    try {
      const response = await fetch(request, { signal, redirect: "manual" });
      const body = await response.arrayBuffer();
      return new Response(body.byteLength === 0 ? null : body, response);
    } catch {
      throw new TypeError("fetch failed"); // what ky repeats
    }
  };
}

/** Whether a second request creates a second entity: an exposition without an ID is a new one. */
function mayCreate({ method, url }: Request): boolean {
  return method === "POST" || method === "PATCH" || (method === "PUT" && url.endsWith("/expositions"));
}

function callerOf({ baseUrl, readSecret, fetch }: Service): Client["call"] {
  const send = ky.create({
    fetch: readingFetch(fetch),
    timeout: 8000,
    throwHttpErrors: false,
    retry: { limit: 2, maxRetryAfter: 5000, methods: ["get", "put", "delete"], statusCodes: STATUSES },
    hooks: {
      beforeRequest: [({ request }) => request.headers.set("authorization", `Bearer ${readSecret()}`)],
      beforeRetry: [({ request }) => (mayCreate(request) ? ky.stop : undefined)],
      afterResponse: [
        ({ request, response, retryCount }) => {
          const isRefused = response.status === 401 || response.status === 429;
          const isRepeatable = !mayCreate(request) && STATUSES.includes(response.status);
          if (retryCount >= 2 || !(isRefused || isRepeatable)) return;
          const seconds = Number(response.headers.get("retry-after") ?? 0.2);
          if (seconds > 5) return;
          return ky.retry({ delay: (Number.isNaN(seconds) ? 1 : seconds) * 1000 });
        },
      ],
    },
  });
  const client = createClient<StorePaths & FleetPaths>({ baseUrl, fetch: (request) => send(request) });
  const request = client.request as unknown as Send; // the method and the path of an operation come from a table
  return async (operation, { path, query, body }) => {
    const { method, path: route } = routeOf(operation);
    const { responses } = contract[operation] as Described; // the job names existing ones
    for (const id of Object.values(path ?? {}))
      if (id === "" || id === "." || id === "..")
        throw new Error(`${operation}: the ID ${JSON.stringify(id)}`);
    const init = { params: { path, query }, body };
    const { data, response } = await request(method.toLowerCase(), route, init).catch((error: unknown) => {
      throw new Error(`${operation}: ${String(error)}`); // an error of ky shows the request with its token
    });
    if (!response.ok) throw new Error(`${operation}: ${response.status}`);
    const documented = responses[response.status];
    if (documented === undefined) throw new Error(`${operation}: ${response.status} is not documented`);
    if (documented.schema === null) return undefined;
    if (!/\bjson\b/.test(response.headers.get("content-type") ?? ""))
      throw new Error(`${operation}: ${response.status} without JSON`);
    const checked = documented.schema.safeParse(data);
    if (checked.success) return data;
    throw new Error(`${operation}: ${response.status} does not fit the contract`);
  };
}

function idOf(row: Row): string | undefined {
  const id = row["id"] ?? row["storeId"] ?? row["photoId"] ?? row["protocolId"];
  return typeof id === "string" ? id : undefined;
}

/** Takes each row once; a row without ID cannot be recognized. */
function takeNew(rows: readonly Row[], seen: Set<string>): Row[] {
  return rows.filter((row) => {
    const id = idOf(row);
    if (id === undefined) throw new Error("a row without ID");
    return seen.size < seen.add(id).size;
  });
}

async function* walkCursors(
  call: Client["call"],
  operation: string,
  { query, ...input }: Input,
): AsyncGenerator<Row> {
  const [seen, cursors] = [new Set<string>(), new Set<string>()];
  let cursor: string | undefined;
  for (;;) {
    const page = (await call(operation, { ...input, query: { ...query, cursor } })) as Row;
    const { items, nextCursor } = page;
    if (!Array.isArray(items) || (nextCursor !== null && typeof nextCursor !== "string") || nextCursor === "")
      throw new Error(`${operation}: a page without items or cursor`);
    const rows = takeNew(items as Row[], seen);
    if (rows.length === 0 && (items.length > 0 || (cursor !== undefined && nextCursor === null)))
      throw new Error(`${operation}: a page without a new row`);
    yield* rows;
    if (nextCursor === null) {
      const isFull = operation === "listStores" && items.length === query?.["limit"];
      if (isFull && (items as Row[]).at(-1)?.["externalId"] === null)
        throw new Error(`${operation}: a full page that ends with a store without external ID`);
      return;
    }
    cursor = nextCursor;
    if (cursors.size === cursors.add(cursor).size) throw new Error(`${operation}: the cursor came before`);
  }
}

interface Pagination {
  readonly totalCount: number;
  readonly totalPages: number;
  readonly hasNextPage: boolean;
}

/** Reads a list until two passes agree with its total and with each other. */
async function* walkPages(call: Client["call"], operation: string, input: Input): AsyncGenerator<Row> {
  let before: string | undefined;
  for (let pass = 1; pass <= 5; pass += 1) {
    const rows = await readPages(call, operation, input);
    const ids = rows?.map(idOf).toSorted().join("\n");
    if (rows !== undefined && ids === before) return yield* rows;
    before = ids;
  }
  throw new Error(`${operation}: the list changes all the time`);
}

/** Returns the rows of one pass; nothing if the list has changed. */
async function readPages(
  call: Client["call"],
  operation: string,
  { query, ...input }: Input,
): Promise<Row[] | undefined> {
  const seen = new Set<string>();
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = (await call(operation, { ...input, query: { ...query, page } })) as {
      data: Row[];
      meta: { pagination: Pagination };
    };
    const { totalCount, totalPages, hasNextPage } = meta.pagination;
    rows.push(...takeNew(data, seen));
    if (page > totalPages + 1) throw new Error(`${operation}: more pages than it says`);
    if (page >= totalPages && !hasNextPage) return rows.length === totalCount ? rows : undefined;
  }
}
