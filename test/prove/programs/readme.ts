import * as z from "zod";
import { FleetClient, StoreClient } from "../../../src/index.ts";
import {
  applyPlan,
  ensure,
  mirror,
  modify,
  planStores,
  pullStores,
  sqliteSink,
  upsertExpositions,
} from "../../../src/sync/index.ts";
import { isWantedBy, type Lines, type Package, runLines } from "./documented.ts";
import type { Job } from "./job.ts";

/** What differs from the documents besides the data of a task: URLs and secrets are those of the job. */
const LIMITS = { timeout: 1500, totalTimeout: 8000 } as const;

function openClients({ fetch, storeUrl, fleetUrl, readToken, readKey }: Job, copy: Package) {
  // from README.md
  const protocol = z.looseObject({ protocolId: z.string(), createdAt: z.coerce.date() }); // open in the contract
  // end
  return {
    store: new copy.StoreClient({
      ...LIMITS,
      baseUrl: storeUrl,
      token: readToken,
      fetch,
      // from README.md
      shapes: { protocol, photo: z.looseObject({ photoId: z.string() }) },
      // end
    }),
    fleet: new copy.FleetClient({ ...LIMITS, baseUrl: fleetUrl, key: readKey, fetch }),
  };
}

/** Does a task as somebody who has copied its line. The results of the jobs are not looked at. */
export function runReadme(job: Job, copy: Package = { StoreClient, FleetClient }): Promise<void> {
  return runLines(job, openClients(job, copy), readmeLines);
}

/** The lines of README and of the skill for coding agents. */
export const readmeLines: Lines<ReturnType<typeof openClients>> = {
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
  async "copy-protocols"({ store, data, db, deliverStore }) {
    const { from } = data;
    // from README.md, where "2025-12-01T00:00:00Z" is from
    const since = new Date(from);
    await pullStores(store, "protocols", sqliteSink(db, "protocols"), { since, allowedLateness: 3_600_000 });
    // end
    deliverStore("protocols", isWantedBy(data));
  },
  async "copy-photos"({ store, data, db, deliverStore }) {
    const { from } = data;
    // from README.md, where "2025-12-01T00:00:00Z" is from and protocols is photos
    const since = new Date(from);
    await pullStores(store, "photos", sqliteSink(db, "photos"), { since, allowedLateness: 3_600_000 });
    // end
    deliverStore("photos", isWantedBy(data));
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
  async "add-contact"({ store, data: { externalId, contact: anna } }) {
    // from docs/skills/shelfleet/SKILL.md, where "S-1" is externalId
    await modify(store.contacts, externalId, (all) =>
      all.some(({ name }) => name === anna.name) ? all : [...all, anna],
    );
    // end
  },
  async "add-expositions"({ store, data: { externalId, expositions } }) {
    // from docs/skills/shelfleet/SKILL.md, where "S-1" is externalId
    await upsertExpositions(store, externalId, expositions);
    // end
  },
  async "report-damages"({ fleet, data: { damages }, db }) {
    // from docs/skills/shelfleet/SKILL.md, where vehicles is damages and [{ plateNumber: "WX 12345", brand: "MAN" }] is damages and "plateNumber" is "description"
    await ensure(fleet.damages, damages, { key: "description", sink: sqliteSink(db, "created") });
    // end
  },
};
