import { FleetClient, type FleetClientOptions, type FleetShapes } from "../../../src/client/fleet/index.ts";
import { type Responder, json, type SentRequest, stubFetch } from "../core/stub-fetch.ts";

export const key = `acme_${"0123456789abcdef".repeat(4)}`;
export const testKey = `acme_test_${"fedcba9876543210".repeat(4)}`;
export const uuid = "11111111-1111-1111-1111-111111111111";
export const baseUrl = "https://fleet.example/api/third-party/v1";

/** The part of every response beside its data. */
export const meta = { version: "v1" };

/** Valid as the response of every operation that returns one resource. */
export const anyData = { data: { id: "x-1" }, meta };

/** The only page of any list. */
export const anyPage = {
  data: [],
  meta: {
    ...meta,
    pagination: { currentPage: 1, totalPages: 1, totalCount: 0, hasNextPage: false, hasPreviousPage: false },
  },
};

/** A fleet client over a stub `fetch`. */
export function stubClient<const Shapes extends FleetShapes = object>(
  response: Responder = () => json(anyData),
  options: Partial<FleetClientOptions<Shapes>> = {},
): { client: FleetClient<Shapes>; sent: SentRequest[] } {
  const { fetch, sent } = stubFetch(response);
  const all = { baseUrl, key, fetch, ...options } as FleetClientOptions<Shapes>;
  return { client: new FleetClient<Shapes>(all), sent };
}

export interface Row {
  id: string;
}

/** The rows `v-1` to `v-<count>`. */
export function rows(count: number): Row[] {
  return Array.from({ length: count }, (_, at) => ({ id: `v-${at + 1}` }));
}

/** A correct response with one page of rows. */
export function pageOf(
  all: readonly unknown[],
  page: number,
  limit: number,
): { data: unknown[]; meta: object } {
  const totalPages = Math.ceil(all.length / limit);
  const pagination = {
    currentPage: page,
    totalPages,
    totalCount: all.length,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
  return { data: all.slice((page - 1) * limit, page * limit), meta: { ...meta, pagination } };
}

/** The page that a request asks for. */
export function requestedPage({ query }: SentRequest): number {
  return Number(query.page ?? 1);
}

/** Responds to every list with these rows, `limit` of them per page. */
export function listServer(all: readonly unknown[], limit: number): Responder {
  return (sent) => json(pageOf(all, requestedPage(sent), limit));
}

/** The error with which a promise rejects. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not reject");
}
