import {
  type ContactInput,
  type ExpositionInput,
  FleetApiError,
  FleetClient,
  type PageList,
  StoreClient,
} from "../../../src/index.ts";
import { modify } from "../../../src/sync/index.ts";
import { type Api, type Job, requireUnchanged, type Row, runJob } from "./job.ts";

const SETTINGS = { timeout: 1500, totalTimeout: 8000, validate: "full" } as const;

/** Does a task with shelfleet. */
export async function runShelfleet(job: Job): Promise<void> {
  const { storeUrl, fleetUrl, readToken, readKey, fetch } = job;
  const store = new StoreClient({ ...SETTINGS, baseUrl: storeUrl, token: readToken, fetch });
  const fleet = new FleetClient({ ...SETTINGS, baseUrl: fleetUrl, key: readKey, fetch });
  return runJob(job, apiOf(store, fleet));
}

/** The same with ky as `fetch`, as the guide on runtimes shows it. */
export async function runShelfleetWithKy(job: Job): Promise<void> {
  const { default: ky } = await import("ky");
  const fetch = ky.create({ fetch: job.fetch, throwHttpErrors: false, retry: 0, timeout: false });
  return runShelfleet({ ...job, fetch });
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

/** A change that returns a promise is made with an entity that was read again before it is written. */
function apiOf(store: StoreClient, fleet: FleetClient): Api {
  return {
    stores: () => store.stores.list().toArray(),
    protocols: (externalId, range) => store.protocols.list(externalId, range).toArray(),
    photos: (externalId, range) => store.photos.list(externalId, range).toArray(),
    rates: (range) => store.fillRates.across(range),
    vehicles: () => whole(fleet.vehicles.list(WALK)),
    damages: () => whole(fleet.damages.list(WALK)),
    inspections: () => whole(fleet.inspections.list(WALK)),
    templates: (isActive) => whole(fleet.inspectionTemplates.list({ isActive, ...WALK })),
    rename: (externalId, name) => modify(store.stores, externalId, async () => ({ name })),
    create: (externalId, properties) => store.stores.upsert(externalId, properties),
    changeContacts: (externalId, change) =>
      modify(
        store.contacts,
        externalId,
        async (all) => change(all as object[] as Row[]) as object[] as ContactInput[],
      ),
    changeExpositions: (externalId, change) =>
      modify(
        store.expositions,
        externalId,
        async (all) => change(all as object[] as Row[]) as object[] as ExpositionInput[],
      ),
    report: (damage) => fleet.damages.create(damage),
    submit: (inspection) => fleet.inspections.submit(inspection),
    /** Reads twice, so that a change of another writer between the two is an error. */
    async changeVehicle(id, changes) {
      const before = await fleet.vehicles.get(id);
      const again = await fleet.vehicles.get(id);
      requireUnchanged(before, again);
      const wanted = { ...again, ...changes };
      const after = await fleet.vehicles.update(id, wanted);
      requireUnchanged(wanted, Object.fromEntries(Object.keys(wanted).map((name) => [name, after[name]])));
    },
    changeInspection: (id, changes) => fleet.inspections.update(id, changes),
    /** A damage that is gone already is deleted. */
    deleteDamage: (id) =>
      fleet.damages.delete(id).catch((error: unknown) => {
        if (!(error instanceof FleetApiError && error.code === "NOT_FOUND")) throw error;
      }),
  };
}
