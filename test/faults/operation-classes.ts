import { FleetClient } from "../../src/client/fleet/index.ts";
import { type ClientOptions, type Hooks, StoreClient } from "../../src/client/store/index.ts";
import type { ResponseParts, ReceivedRequest } from "./fault-server.ts";

const uuid = "11111111-1111-1111-1111-111111111111";
const exposition = { label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" as const };

const token = "fault-token+/=~9";
const key = `acme_${"0123456789abcdef".repeat(4)}`;

interface Clients {
  store: StoreClient;
  /** A store client for a service whose upserts of expositions can be repeated. */
  configured: StoreClient;
  fleet: FleetClient;
}

/** A class of operations: how to call one, its result without faults, and whether it may be sent twice. */
export interface OperationClass {
  call: (clients: Clients) => PromiseLike<unknown>;
  expected: unknown;
  repeatable: boolean;
  /** The number of requests without faults. */
  requests: number;
}

const write = { requests: 1 };
const stored = { ...exposition, friendlyTitle: null, status: "active", expositionId: uuid };
const list = (count: number) => ({
  externalId: "S",
  storeId: uuid,
  items: Array.from({ length: count }, () => stored),
});

export const operationClasses = {
  GET: {
    call: ({ store }) => store.stores.get("S"),
    expected: { storeId: uuid },
    repeatable: true,
    requests: 1,
  },
  list: {
    call: ({ store }) => store.stores.list().toArray(),
    expected: [0, 1, 2, 3, 4, 5].map((index) => ({ externalId: `S-${index}` })),
    repeatable: true,
    requests: 3,
  },
  "fleet list": {
    call: ({ fleet }) => fleet.vehicles.list().toArray(),
    expected: [0, 1, 2, 3, 4, 5].map((index) => ({ id: `v-${index}` })),
    repeatable: true,
    requests: 3,
  },
  PUT: {
    call: ({ store }) => store.stores.upsert("S", { name: "x" }),
    expected: { storeId: uuid },
    repeatable: true,
    ...write,
  },
  "upsert, repeatable": {
    call: ({ configured }) => configured.expositions.upsert("S", [exposition]),
    expected: list(1),
    repeatable: true,
    ...write,
  },
  upsert: {
    call: ({ store }) => store.expositions.upsert("S", [{ ...exposition, expositionId: uuid }, exposition]),
    expected: list(2),
    repeatable: false,
    ...write,
  },
  POST: {
    call: ({ fleet }) => fleet.vehicles.create({ plateNumber: "x" }),
    expected: { id: "v" },
    repeatable: false,
    ...write,
  },
  PATCH: {
    call: ({ fleet }) => fleet.driverAssignments.update("a", { note: "x" }),
    expected: { id: "v" },
    repeatable: false,
    ...write,
  },
  DELETE: { call: ({ fleet }) => fleet.vehicles.delete("v"), expected: null, repeatable: true, ...write },
} satisfies Record<string, OperationClass>;

/** The response of a healthy server. */
export function healthyResponse({ method, target, body }: ReceivedRequest): ResponseParts {
  const { pathname, searchParams } = new URL(target, "http://any");
  return {
    status: method === "POST" ? 201 : 200,
    body: JSON.stringify(bodyOf(method, pathname, searchParams, body)),
  };
}

function bodyOf(method: string, path: string, query: URLSearchParams, sent: string): unknown {
  if (path.endsWith("/v1/stores")) {
    const at = Number(query.get("cursor") ?? 0);
    const items = [{ externalId: `S-${at}` }, { externalId: `S-${at + 1}` }];
    return { items, nextCursor: at < 4 ? String(at + 2) : null };
  }
  if (path.endsWith("/expositions")) return list(sent.split('"label"').length - 1);
  if (path.includes("/v1/stores/") || path.endsWith("/moved")) return { storeId: uuid };
  const meta = { version: "v1" };
  if (method !== "GET") return { data: method === "DELETE" ? null : { id: "v" }, meta };
  const page = Number(query.get("page") ?? 1);
  const pagination = {
    currentPage: page,
    totalPages: 3,
    totalCount: 6,
    hasNextPage: page < 3,
    hasPreviousPage: page > 1,
  };
  return { data: [{ id: `v-${2 * page - 2}` }, { id: `v-${2 * page - 1}` }], meta: { ...meta, pagination } };
}

/** Both clients of one origin, with short waits and few retries. */
export function clientsOf(
  origin: string,
  hooks: Hooks = {},
  options: Pick<ClientOptions, "timeout" | "totalTimeout" | "runtime" | "transport"> = {},
): Clients {
  // the cases of a matrix share a client: its own limiter would let one case wait for the 429 of another
  const limiter = { acquire: async () => {} };
  const shared = { hooks, limiter, retry: { limit: 2, maxDelay: 5 }, allowInsecure: true, ...options };
  return {
    store: new StoreClient({ baseUrl: origin, token, ...shared }),
    configured: new StoreClient({ baseUrl: origin, token, repeatable: ["putExpositions"], ...shared }),
    fleet: new FleetClient({ baseUrl: `${origin}/fleet/api/third-party/v1`, key, ...shared }),
  };
}
