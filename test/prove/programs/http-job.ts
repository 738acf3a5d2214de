import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import { type Api, type Job, requireUnchanged, type Row, runJob } from "./job.ts";

const operations: Readonly<Record<string, { method: string; path: string }>> = {
  ...storeOperations,
  ...fleetOperations,
};

/** Returns the method and the path of an operation. */
export function routeOf(operation: string): { method: string; path: string } {
  const { method, path } = operations[operation] as { method: string; path: string }; // the job names existing ones
  return { method, path };
}

/** The parameters and the body of a request. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** A client that sends one request. */
export interface Client {
  /** Sends an operation and returns the parsed body of a success. */
  call(operation: string, input: Input): Promise<unknown>;
  /** Walks over a list, if the client can walk over this one. */
  list?(operation: string, input: Input): AsyncIterable<unknown> | undefined;
  /** Whether every entity is read twice before it is written, and compared. */
  readonly isCareful?: boolean;
}

/** The API of a job, as a client sees it. */
export interface Service {
  readonly api: "store" | "fleet";
  readonly baseUrl: string;
  readonly readSecret: () => string;
  readonly fetch: Job["fetch"];
}

/** Does a task as users of an HTTP client do: with loops over pages, and by reading before writing. */
export async function runWithClient(
  job: Job,
  open: (service: Service) => Client | Promise<Client>,
): Promise<void> {
  const { fetch } = job;
  const { api } = job.task;
  const service =
    api === "store"
      ? { baseUrl: job.storeUrl, readSecret: job.readToken }
      : { baseUrl: job.fleetUrl, readSecret: job.readKey };
  return runJob(job, apiOf(await open({ api, ...service, fetch }), api === "store" ? byCursor : byNumber));
}

type Walk = (client: Client, operation: string, input: Input) => AsyncIterable<unknown>;

async function* byCursor({ call }: Client, operation: string, { query, ...input }: Input) {
  let cursor: string | undefined;
  do {
    const page = (await call(operation, { ...input, query: { ...query, cursor } })) as {
      items: Row[];
      nextCursor?: string | null;
    };
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function* byNumber({ call }: Client, operation: string, { query, ...input }: Input) {
  for (let page = 1; ; page += 1) {
    const { data, meta } = (await call(operation, { ...input, query: { ...query, page } })) as {
      data: Row[];
      meta: { pagination: { hasNextPage: boolean } };
    };
    yield* data;
    if (!meta.pagination.hasNextPage) return;
  }
}

function apiOf(client: Client, walk: Walk): Api {
  const { call, isCareful } = client;
  const list = async (operation: string, limit: number, { path, query }: Input = {}): Promise<Row[]> => {
    const input = { ...(path !== undefined && { path }), query: { ...query, limit } };
    const rows: Row[] = [];
    for await (const row of client.list?.(operation, input) ?? walk(client, operation, input))
      rows.push(row as Row);
    return rows;
  };
  /** Reads what is about to be written: twice, to notice the change of another writer. */
  const read = async <Entity extends object>(
    operation: string,
    path: Record<string, string>,
    isTwice = isCareful,
  ): Promise<Entity> => {
    const before = (await call(operation, { path })) as Entity;
    if (isTwice === true) requireUnchanged(before, (await call(operation, { path })) as Entity);
    return before;
  };
  return {
    stores: () => list("listStores", 100),
    protocols: (externalId, { from, to }) =>
      list("listProtocols", 100, { path: { externalId }, query: { from, to } }),
    photos: (externalId, { from, to }) =>
      list("listPhotos", 500, { path: { externalId }, query: { from, to } }),
    rates: ({ from, to }) => call("getFillRates", { query: { from, to } }),
    vehicles: () => list("listVehicles", 100),
    damages: () => list("listDamages", 100),
    inspections: () => list("listInspections", 100),
    templates: (isActive) => list("listInspectionTemplates", 100, { query: { isActive } }),
    async rename(externalId, name) {
      const path = { externalId };
      const { storeId: _, ...store } = await read<Row>("getStore", path);
      await call("putStore", { path, body: { ...store, name } });
    },
    create: (externalId, body) => call("putStore", { path: { externalId }, body }),
    async changeContacts(externalId, change) {
      const path = { externalId };
      const { items } = await read<{ items: Row[] }>("getContacts", path);
      const before = items.map(({ contactId: _, createdAt: __, ...contact }) => contact);
      const contacts = change(before);
      if (contacts !== before) await call("putContacts", { path, body: { contacts } });
    },
    async changeExpositions(externalId, change) {
      const path = { externalId };
      const { items } = await read<{ items: Row[] }>("getExpositions", path);
      const expositions = change(items);
      if (expositions !== items) await call("putExpositions", { path, body: { expositions } });
    },
    report: (body) => call("createDamage", { body }),
    submit: (body) => call("submitInspection", { body }),
    async changeVehicle(id, changes) {
      const { data } = await read<{ data: Row }>("getVehicle", { id }, true);
      await call("updateVehicle", { path: { id }, body: { ...data, ...changes } });
    },
    changeInspection: (id, body) => call("updateInspection", { path: { id }, body }),
    deleteDamage: (id) => call("deleteDamage", { path: { id } }),
  };
}
