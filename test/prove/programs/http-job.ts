import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import {
  type Job,
  createOnce,
  requireSameId,
  requireUnchanged,
  uniqueById,
  type Row,
  oldestDamage,
  readRates,
  requireColumns,
  rowsIn,
  selectRange,
  textIn,
  widerRange,
} from "./job.ts";

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
  /** Whether an entity is read twice before it is written, and compared after it was written. */
  readonly isCareful?: boolean;
}

/** The API of a job, as a client sees it. */
export interface Service {
  readonly api: "store" | "fleet";
  readonly baseUrl: string;
  readonly readSecret: () => string;
  readonly fetch: Job["fetch"];
}

type Open = (service: Service) => Client | Promise<Client>;

/** Does a task as users of an HTTP client do: with loops over pages, and by reading before writing. */
export async function runWithClient(job: Job, open: Open): Promise<void> {
  const { task, fetch } = job;
  const { api } = task;
  const service =
    api === "store"
      ? { baseUrl: job.storeUrl, readSecret: job.readToken }
      : { baseUrl: job.fleetUrl, readSecret: job.readKey };
  const client = await open({ api, ...service, fetch });
  if (task.name.startsWith("copy-")) return copy(job, client);
  return job.exclusively(() => (api === "store" ? writeStore(job, client) : writeFleet(job, client)));
}

async function listAll({ task }: Job, client: Client, operation: string, input: Input): Promise<Row[]> {
  const walk = client.list?.(operation, input);
  const rows: Row[] = [];
  if (walk !== undefined) {
    for await (const row of walk) rows.push(row as Row);
    return rows;
  }
  return task.api === "store"
    ? listByCursor(client, operation, input)
    : listByNumber(client, operation, input);
}

async function listByCursor({ call }: Client, operation: string, { query, ...input }: Input): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = (await call(operation, { ...input, query: { ...query, cursor } })) as {
      items: Row[];
      nextCursor?: string | null;
    };
    rows.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

async function listByNumber({ call }: Client, operation: string, { query, ...input }: Input): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = (await call(operation, { ...input, query: { ...query, page } })) as {
      data: Row[];
      meta: { pagination: { hasNextPage: boolean } };
    };
    rows.push(...data);
    if (!meta.pagination.hasNextPage) return rows;
  }
}

async function copy(job: Job, client: Client): Promise<void> {
  const { task, deliver } = job;
  const give = (rows: readonly Row[]) => deliver(requireColumns(rows, task.data["columns"] as string[]));
  const list = (operation: string, limit: number, input: Input = {}) =>
    listAll(job, client, operation, { ...input, query: { ...input.query, limit } });
  const { status, isActive } = task.data;
  const ofStore = () => ({ path: { externalId: textIn(job, "externalId") }, query: widerRange(job) });
  switch (task.name) {
    case "copy-stores":
      return give(await list("listStores", 100));
    case "copy-protocols": {
      const rows = await list("listProtocols", 100, ofStore());
      return give(
        selectRange(
          job,
          rows.map((row) => ({ protocolId: row["id"], ...row })),
        ),
      );
    }
    case "copy-photos": {
      const rows = selectRange(job, await list("listPhotos", 500, ofStore()));
      return give(rows.filter((row) => status === undefined || row["status"] === status));
    }
    case "copy-fill-rates": {
      const query = { from: textIn(job, "from"), to: textIn(job, "to") };
      return give(readRates(await client.call("getFillRates", { query })));
    }
    case "copy-vehicles":
      return give(await list("listVehicles", 100));
    case "copy-damages":
      return give(await list("listDamages", 100));
    default: {
      const lists = [true, false].map((active) =>
        list("listInspectionTemplates", 100, { query: { isActive: active } }),
      );
      const rows = uniqueById((await Promise.all(lists)).flat());
      return give(rows.filter((row) => isActive === undefined || row["isActive"] === isActive));
    }
  }
}

/** Reads what is about to be written. A careful client notices the change of another writer between two reads. */
async function readBefore(
  { call, isCareful }: Client,
  operation: string,
  path: Record<string, string>,
): Promise<Row> {
  const before = (await call(operation, { path })) as Row;
  if (isCareful === true) requireUnchanged(before, (await call(operation, { path })) as Row);
  return before;
}

async function writeStore(job: Job, client: Client): Promise<void> {
  const { task } = job;
  const { call } = client;
  const path = { externalId: task.data["externalId"] as string };
  switch (task.name) {
    case "change-stores":
      for (const { externalId, name } of rowsIn(job, "stores")) {
        const one = { externalId: String(externalId) };
        const { storeId: _, ...store } = await readBefore(client, "getStore", one);
        await call("putStore", { path: one, body: { ...store, name } });
      }
      return;
    case "create-stores":
      for (const { externalId, ...body } of rowsIn(job, "stores"))
        requireSameId(
          String(externalId),
          await call("putStore", { path: { externalId: String(externalId) }, body }),
        );
      return;
    case "add-contact": {
      const { items } = (await readBefore(client, "getContacts", path)) as { items: Row[] };
      const contacts = items.map(({ contactId: _, createdAt: __, ...contact }) => contact);
      const added = task.data["contact"] as Row;
      if (contacts.some(({ name, phone }) => name === added["name"] && phone === added["phone"])) return;
      await call("putContacts", { path, body: { contacts: [...contacts, added] } });
      return;
    }
    case "add-expositions": {
      const { items } = (await readBefore(client, "getExpositions", path)) as { items: Row[] };
      const added = rowsIn(job, "expositions").filter(
        ({ label }) => !items.some((known) => known["label"] === label),
      );
      if (added.length > 0)
        await call("putExpositions", { path, body: { expositions: [...items, ...added] } });
      return;
    }
    default: {
      const { expositionId, label } = task.data;
      const { items } = (await call("getExpositions", { path })) as { items: Row[] };
      const expositions = items.map((one) =>
        one["expositionId"] === expositionId ? { ...one, label } : one,
      );
      await call("putExpositions", { path, body: { expositions } });
    }
  }
}

async function writeFleet(job: Job, client: Client): Promise<void> {
  const { task } = job;
  const { call } = client;
  const list = (operation: string) => listAll(job, client, operation, { query: { limit: 100 } });
  switch (task.name) {
    case "report-damages": {
      const known = await list("listDamages");
      const damages = { wanted: rowsIn(job, "damages"), known, key: "description" };
      return createOnce(job, damages, (body) => call("createDamage", { body }));
    }
    case "submit-inspections": {
      const known = await list("listInspections");
      const inspections = { wanted: rowsIn(job, "inspections"), known, key: "notes" };
      return createOnce(job, inspections, (body) => call("submitInspection", { body }));
    }
    case "change-vehicles":
      for (const { id, ...changes } of rowsIn(job, "vehicles")) {
        const path = { id: String(id) };
        const { data: before } = (await call("getVehicle", { path })) as { data: Row };
        const { data } = (await call("getVehicle", { path })) as { data: Row };
        requireUnchanged(before, data);
        await call("updateVehicle", { path, body: { ...data, ...changes } });
      }
      return;
    case "change-inspections":
      for (const { id, ...body } of rowsIn(job, "inspections"))
        await call("updateInspection", { path: { id: String(id) }, body });
      return;
    case "delete-damages":
      for (const id of task.data["ids"] as string[]) await call("deleteDamage", { path: { id } });
      return;
    default:
      await call("deleteDamage", { path: { id: oldestDamage(job, await list("listDamages")) } });
  }
}
