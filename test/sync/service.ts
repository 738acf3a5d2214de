import { DatabaseSync } from "node:sqlite";
import { FleetClient, StoreClient } from "../../src/index.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import { JobError, sqliteSink } from "../../src/sync/index.ts";

/** The bodies that the tests send. */
interface Body {
  contacts: { name: string; phone: string }[];
  plateNumber: string;
  [property: string]: unknown;
}

/** A request as a service sees it. */
export interface Received {
  method: string;
  /** The path after `/v1`. */
  path: string;
  query: URLSearchParams;
  body: Body;
}

/** A response: status, JSON and headers; an `Error` is a lost connection. */
export type Answer = readonly [status: number, json?: unknown, headers?: Record<string, string>] | Error;

export type Service = (request: Received) => Answer | Promise<Answer>;

/** The options of clients whose requests a function responds to; `sent` has all requests. */
export function serve(service: Service) {
  const sent: Received[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams: query } = new URL(url);
    const path = pathname.replace(/^.*?\/v1/, "");
    const body = (typeof init.body === "string" ? JSON.parse(init.body) : {}) as Body;
    const request = { method: init.method ?? "GET", path, query, body };
    sent.push(request);
    const answer = await service(request);
    if (answer instanceof Error) throw new TypeError("fetch failed", { cause: answer });
    const [status, json, headers] = answer;
    return new Response(json === undefined ? null : JSON.stringify(json), {
      status,
      headers: { "content-type": "application/json", ...headers },
    });
  };
  const store = (options: object = {}) =>
    new StoreClient({ baseUrl: "https://stores.example", token: "token-1", retry: 0, fetch, ...options });
  const fleet = (options: object = {}) => {
    const key = `acme_${"0a".repeat(32)}`;
    return new FleetClient({
      baseUrl: "https://fleet.example/api/third-party/v1",
      key,
      retry: 0,
      fetch,
      ...options,
    });
  };
  return { sent, fetch, store: store(), fleet: fleet(), makeStore: store, makeFleet: fleet };
}

const uuid = (n: number) => `7f1b0c2e-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** A store. */
export const storeRow = (n: number, changes: object = {}) => ({
  storeId: uuid(n),
  externalId: `S-${String(n).padStart(3, "0")}`,
  name: `name ${n}`,
  location: null,
  regionId: null,
  storeType: null,
  openingTimes: [],
  protocolScheduleId: uuid(999),
  protocolCronEnabled: true,
  onboardingComplete: true,
  loginCode: "1",
  ...changes,
});

/** A contact that the service has created from an input. */
export const contactRow = (n: number, input: object) => ({
  contactId: uuid(n),
  contactType: "store",
  email: null,
  hasWhatsapp: false,
  createdAt: "2026-01-01T00:00:00Z",
  ...input,
});

/** A page of a numbered list. */
export function pageOf(rows: readonly unknown[], query: URLSearchParams, pagination: object = {}): Answer {
  const limit = Number(query.get("limit") ?? 50);
  const page = Number(query.get("page") ?? 1);
  const totalPages = Math.max(1, Math.ceil(rows.length / limit));
  const own = {
    currentPage: page,
    totalPages,
    totalCount: rows.length,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
  const data = rows.slice((page - 1) * limit, page * limit);
  return [200, { data, meta: { version: "v1", pagination: { ...own, ...pagination } } }];
}

export const notFound: Answer = [404, { error: { code: "not_found", message: "not found" } }];
export const fleetNotFound: Answer = [404, { errors: [{ code: "NOT_FOUND", message: "not found" }] }];

/** A sink over a database in memory. */
export function memorySink<T = unknown, D = undefined>(table = "entries") {
  const db = new DatabaseSync(":memory:");
  const sink = sqliteSink<T, D>(db, table);
  const rows = () => db.prepare(`SELECT id, data FROM ${table} ORDER BY id`).all();
  const ids = () => rows().map(({ id }) => id as string);
  const data = () => rows().map((row) => JSON.parse(row["data"] as string) as unknown);
  return { db, sink, ids, data };
}

/** The reason with which a promise rejects. */
export async function rejection(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not reject");
}

/** Returns the results of a job, also if some of it has failed. */
export async function settle<T>(job: PromiseLike<T>): Promise<T> {
  try {
    return await job;
  } catch (error) {
    if (error instanceof JobError) return error.results as T; // those of this job
    throw error;
  }
}

/** Clients of a reference server; `writes` has the method and the body of each request that is not a GET. */
export function clientsOf(ref: ReferenceServer) {
  const writes: { method: string; body: unknown }[] = [];
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    const { method = "GET", body } = init;
    if (method !== "GET") writes.push({ method, body: JSON.parse(body as string) as unknown });
    return ref.fetch(url, init);
  };
  const store = new StoreClient({ ...ref.storeOptions, retry: 0, fetch });
  const fleet = new FleetClient({ ...ref.fleetOptions, retry: 0, fetch });
  return { store, fleet, writes };
}
