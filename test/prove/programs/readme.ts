import { FleetClient, StoreClient } from "../../../src/index.ts";
import { applyPlan, ensure, mirror, modify, planStores, pull, sqliteSink } from "../../../src/sync/index.ts";
import { isWantedBy, type Lines, runLines } from "./documented.ts";
import type { Job } from "./job.ts";

/** What differs from the documents besides the data of a task: URLs and secrets are those of the job. */
const LIMITS = { timeout: 1500, totalTimeout: 8000 } as const;

/** Does a task as somebody who has copied a line. The results of the jobs are not looked at. */
export function runReadme(job: Job): Promise<void> {
  const { fetch, storeUrl, fleetUrl, readToken, readKey } = job;
  const store = new StoreClient({ ...LIMITS, baseUrl: storeUrl, token: readToken, fetch });
  const fleet = new FleetClient({ ...LIMITS, baseUrl: fleetUrl, key: readKey, fetch });
  return runLines(job, { store, fleet }, readmeLines);
}

/** The lines of README and of the skill for coding agents. */
export const readmeLines: Lines<{ store: StoreClient; fleet: FleetClient }> = {
  async "copy-stores"({ store, db, deliverTable }) {
    // from README.md, where fleet.vehicles is store.stores and "vehicles" is "stores"
    await mirror(store.stores, sqliteSink(db, "stores"));
    // end
    deliverTable("stores");
  },
  async "copy-vehicles"({ fleet, db, deliverTable }) {
    // from README.md
    await mirror(fleet.vehicles, sqliteSink(db, "vehicles"));
    // end
    deliverTable("vehicles");
  },
  async "copy-damages"({ fleet, db, deliverTable }) {
    // from README.md, where vehicles is damages
    await mirror(fleet.damages, sqliteSink(db, "damages"));
    // end
    deliverTable("damages");
  },
  async "copy-protocols"({ store, data, db, deliverTable }) {
    const { from } = data;
    // from README.md, where "2025-12-01T00:00:00Z" is from
    const protocols = sqliteSink(db, "protocols");
    const options = { since: from, state: await protocols.loadState("S-1"), allowedLateness: 3_600_000 };
    for await (const batch of pull(store.protocols, "S-1", options)) await protocols.saveBatch("S-1", batch);
    // end
    deliverTable("protocols", isWantedBy(data));
  },
  async "copy-photos"({ store, data, db, deliverTable }) {
    const { from } = data;
    // from README.md, where "2025-12-01T00:00:00Z" is from and protocols is photos
    const photos = sqliteSink(db, "photos");
    const options = { since: from, state: await photos.loadState("S-1"), allowedLateness: 3_600_000 };
    for await (const batch of pull(store.photos, "S-1", options)) await photos.saveBatch("S-1", batch);
    // end
    deliverTable("photos", isWantedBy(data));
  },
  async "change-stores"({ store, data: { stores: rows } }) {
    // from README.md, where [{ externalId: "S-2", name: "Kiosk 2" }] is rows
    await applyPlan(store, await planStores(rows, store));
    // end
  },
  async "create-stores"({ store, data: { stores: rows } }) {
    // from README.md, where [{ externalId: "S-2", name: "Kiosk 2" }] is rows
    await applyPlan(store, await planStores(rows, store));
    // end
  },
  async "add-contact"({ store, data: { externalId, contact } }) {
    const change = (all: object[]) => [...all, contact];
    // from docs/skills/shelfleet/SKILL.md, where stores is contacts and "S-1" is externalId and ({ name }) => ({ name: name.trim() }) is change
    await modify(store.contacts, externalId, change);
    // end
  },
  async "add-expositions"({ store, data: { externalId, expositions } }) {
    const change = (all: object[]) => [...all, ...expositions];
    // from docs/skills/shelfleet/SKILL.md, where stores is expositions and "S-1" is externalId and ({ name }) => ({ name: name.trim() }) is change
    await modify(store.expositions, externalId, change);
    // end
  },
  async "report-damages"({ fleet, data: { damages } }) {
    // from docs/skills/shelfleet/SKILL.md, where vehicles is damages and [{ plateNumber: "WX 12345", brand: "MAN" }] is damages and "plateNumber" is "description"
    await ensure(fleet.damages, damages, { key: "description" });
    // end
  },
};
