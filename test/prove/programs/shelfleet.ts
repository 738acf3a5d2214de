import ky from "ky";
import {
  type ExpositionInput,
  FleetApiError,
  FleetClient,
  type PageList,
  StoreClient,
} from "../../../src/index.ts";
import { modify } from "../../../src/sync/index.ts";
import {
  type Job,
  type Row,
  createOnce,
  oldestDamage,
  requireSameId,
  readRates,
  requireColumns,
  requireUnchanged,
  uniqueById,
  rowsIn,
  selectRange,
  textIn,
  widerRange,
} from "./job.ts";

const SETTINGS = { timeout: 1500, totalTimeout: 8000, validate: "full" } as const;

/** Does a task with shelfleet. */
export async function runShelfleet(job: Job): Promise<void> {
  const { storeUrl, fleetUrl, readToken, readKey, fetch } = job;
  const store = new StoreClient({ ...SETTINGS, baseUrl: storeUrl, token: readToken, fetch });
  const fleet = new FleetClient({ ...SETTINGS, baseUrl: fleetUrl, key: readKey, fetch });
  if (job.task.name.startsWith("copy-")) return copy(job, store, fleet);
  return job.exclusively(() => (job.task.api === "store" ? writeStore(job, store) : writeFleet(job, fleet)));
}

/** The same with ky as `fetch`, as the guide on runtimes shows it. */
export function runShelfleetWithKy(job: Job): Promise<void> {
  return runShelfleet({
    ...job,
    fetch: ky.create({ fetch: job.fetch, throwHttpErrors: false, retry: 0, timeout: false }),
  });
}

/** Walks a numbered list until two passes agree; a service that repeats its pages is noticed after 20 of them. */
const WALK = { verify: true, maxIdleRequests: 20 } as const;

/** Returns the items of a numbered list, or fails if the last page promises more of them. */
async function whole<T, Meta>(list: PageList<T, Meta>): Promise<T[]> {
  const items: T[] = [];
  let expected = 0;
  for await (const page of list.pages()) {
    items.push(...page.items);
    for (const drift of page.drift) if (drift.kind === "missing") ({ expected } = drift);
  }
  if (items.length < expected) throw new Error(`the list has ${items.length} of ${expected} items`);
  return items;
}

async function copy(job: Job, store: StoreClient, fleet: FleetClient): Promise<void> {
  const { task, deliver } = job;
  const columns = task.data["columns"] as string[];
  const give = (rows: readonly object[]) => deliver(requireColumns(rows as readonly Row[], columns));
  switch (task.name) {
    case "copy-stores":
      return give(await store.stores.list().toArray());
    case "copy-protocols": {
      const rows = await store.protocols.list(textIn(job, "externalId"), widerRange(job)).toArray();
      return give(
        selectRange(
          job,
          rows.map((row) => ({ protocolId: row["id"], ...row })),
        ),
      );
    }
    case "copy-photos": {
      const rows = await store.photos.list(textIn(job, "externalId"), widerRange(job)).toArray();
      const status = task.data["status"];
      return give(selectRange(job, rows).filter((row) => status === undefined || row["status"] === status));
    }
    case "copy-fill-rates":
      return give(
        readRates(await store.fillRates.across({ from: textIn(job, "from"), to: textIn(job, "to") })),
      );
    case "copy-vehicles":
      return give(await whole(fleet.vehicles.list(WALK)));
    case "copy-damages":
      return give(await whole(fleet.damages.list(WALK)));
    default: {
      const wanted = task.data["isActive"];
      const lists = [true, false].map((isActive) =>
        whole(fleet.inspectionTemplates.list({ isActive, ...WALK })),
      );
      const rows = (await Promise.all(lists)).flat();
      return give(
        uniqueById(rows as object as Row[]).filter(
          ({ isActive }) => wanted === undefined || isActive === wanted,
        ),
      );
    }
  }
}

async function writeStore(job: Job, store: StoreClient): Promise<void> {
  const { task } = job;
  const externalId = task.data["externalId"] as string;
  switch (task.name) {
    case "change-stores":
      for (const { externalId: id, name } of rowsIn(job, "stores"))
        await modify(store.stores, String(id), async () => ({ name: String(name) }));
      return;
    case "create-stores":
      for (const { externalId: id, ...properties } of rowsIn(job, "stores"))
        requireSameId(String(id), await store.stores.upsert(String(id), properties));
      return;
    case "add-contact": {
      const added = task.data["contact"] as { name: string; phone: string };
      await modify(store.contacts, externalId, async (all) =>
        all.some(({ name, phone }) => name === added.name && phone === added.phone) ? all : [...all, added],
      );
      return;
    }
    case "add-expositions": {
      const added = rowsIn(job, "expositions") as unknown as ExpositionInput[];
      await modify(store.expositions, externalId, async (all) => [
        ...all,
        ...added.filter(({ label }) => !all.some((known) => known.label === label)),
      ]);
      return;
    }
    default: {
      const { expositionId, label } = task.data as Record<string, string>;
      await modify(store.expositions, externalId, async (all) =>
        all.map((one) => (one.expositionId === expositionId ? { ...one, label: String(label) } : one)),
      );
    }
  }
}

async function writeFleet(job: Job, fleet: FleetClient): Promise<void> {
  const { task } = job;
  switch (task.name) {
    case "report-damages": {
      const known = await fleet.damages.list().toArray();
      const damages = { wanted: rowsIn(job, "damages"), known, key: "description" };
      return createOnce(job, damages, (damage) => fleet.damages.create(damage));
    }
    case "submit-inspections": {
      const known = await fleet.inspections.list().toArray();
      const inspections = { wanted: rowsIn(job, "inspections"), known, key: "notes" };
      return createOnce(job, inspections, (inspection) => fleet.inspections.submit(inspection));
    }
    case "change-vehicles":
      for (const { id, ...changes } of rowsIn(job, "vehicles"))
        await changeVehicle(fleet, String(id), changes);
      return;
    case "change-inspections":
      for (const { id, ...changes } of rowsIn(job, "inspections"))
        await fleet.inspections.update(String(id), changes);
      return;
    case "delete-damages":
      for (const id of task.data["ids"] as string[]) await deleteDamage(fleet, id);
      return;
    default: {
      const damages = await fleet.damages.list().toArray();
      await deleteDamage(fleet, oldestDamage(job, damages));
    }
  }
}

/** Reads twice, so that a change of another writer between the two is an error. */
async function changeVehicle(fleet: FleetClient, id: string, changes: Row): Promise<void> {
  const before = await fleet.vehicles.get(id);
  const again = await fleet.vehicles.get(id);
  requireUnchanged(before, again);
  const after = await fleet.vehicles.update(id, { ...again, ...changes });
  for (const [name, value] of Object.entries({ ...again, ...changes }))
    if (JSON.stringify(after[name]) !== JSON.stringify(value))
      throw new Error(`vehicle ${id}: ${name} was not kept`);
}

/** A damage that is gone already is deleted. */
async function deleteDamage(fleet: FleetClient, id: string): Promise<void> {
  await fleet.damages.delete(id).catch((error: unknown) => {
    if (!(error instanceof FleetApiError && error.code === "NOT_FOUND")) throw error;
  });
}
