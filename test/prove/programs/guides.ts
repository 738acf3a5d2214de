import * as z from "zod";
import { FleetApiError, FleetClient, StoreClient } from "../../../src/index.ts";
import {
  applyPlan,
  ensure,
  mirror,
  modify,
  planStores,
  pull,
  sqliteSink,
  upsertExpositions,
} from "../../../src/sync/index.ts";
import { type Lines, type Package, runLines } from "./documented.ts";
import type { Job } from "./job.ts";

/** What differs from the guides besides the data of a task: URLs and secrets are those of the job. */
const LIMITS = { timeout: 1500, totalTimeout: 8000 } as const;

function openClients({ storeUrl, fleetUrl, readToken, readKey, fetch }: Job, copy: Package) {
  // from docs/production.md, where 120_000 is LIMITS.totalTimeout and 20_000 is LIMITS.timeout
  const settings = {
    timeout: LIMITS.timeout,
    totalTimeout: LIMITS.totalTimeout,
    maxConcurrency: 8,
    validate: "full",
  } as const;
  // end
  // from docs/first-steps.md
  const instant = z.iso.datetime({ offset: true }).pipe(z.coerce.date()); // refuses a time without an offset
  const protocol = z.looseObject({ protocolId: z.string(), createdAt: instant });
  const photo = z.looseObject({ photoId: z.string() });
  // end
  // from docs/first-steps.md
  const groups = z.array(z.looseObject({ externalId: z.string(), fillRate: z.number() }));
  const isPercent = ({ groups: rates }: { groups: { fillRate: number }[] }) =>
    rates.some(({ fillRate }) => fillRate > 1);
  const fillRates = z.looseObject({ groups }).refine(isPercent, "fractions, not percent");
  // end
  const shapes = { protocol, photo, fillRates };
  return {
    store: new copy.StoreClient({ ...settings, baseUrl: storeUrl, token: () => readToken(), fetch, shapes }),
    fleet: new copy.FleetClient({ ...settings, baseUrl: fleetUrl, key: () => readKey(), fetch }),
  };
}

/** Does a task with the lines of the guides. */
export function runGuides(job: Job, copy: Package = { StoreClient, FleetClient }): Promise<void> {
  return runLines(job, openClients(job, copy), guideLines);
}

type GuideLines = Lines<ReturnType<typeof openClients>>;

const copies: GuideLines = {
  async "copy-stores"({ store, db, deliverTable }) {
    // from docs/sync.md, where fleet.vehicles is store.stores and "vehicles" is "stores"
    await mirror(store.stores, sqliteSink(db, "stores"));
    // end
    deliverTable("stores");
  },
  async "copy-vehicles"({ fleet, db, deliverTable }) {
    // from docs/sync.md
    await mirror(fleet.vehicles, sqliteSink(db, "vehicles"));
    // end
    deliverTable("vehicles");
  },
  async "copy-damages"({ fleet, db, deliverTable }) {
    // from docs/sync.md, where vehicles is damages
    await mirror(fleet.damages, sqliteSink(db, "damages"));
    // end
    deliverTable("damages");
  },
  async "copy-templates"({ fleet, data: { isActive: wanted }, deliver }) {
    // from docs/lists.md
    const templates = new Map<unknown, object>(); // by ID, in case the service ignores the filter
    for (const isActive of [true, false])
      for await (const template of fleet.inspectionTemplates.list({ isActive }))
        templates.set(template["id"], template);
    // end
    deliver(templates.values(), ({ isActive }) => isActive === (wanted ?? isActive));
  },
  async "copy-protocols"({ store, data: { from, to }, db, deliverSaved }) {
    // from docs/sync.md
    const protocols = sqliteSink(db, "protocols");
    const options = { since: from, state: await protocols.loadState("S-1"), allowedLateness: 3_600_000 };
    for await (const batch of pull(store.protocols, "S-1", options)) await protocols.saveBatch("S-1", batch);
    const inRange =
      "unixepoch(data ->> 'createdAt') >= unixepoch(?) AND unixepoch(data ->> 'createdAt') < unixepoch(?)";
    const rows = db.prepare(`SELECT data FROM protocols WHERE ${inRange}`).all(from, to);
    // end
    deliverSaved(rows);
  },
  async "copy-photos"({ store, data: { from, to, status: wanted }, db, deliverSaved }) {
    // from docs/sync.md, where protocols is photos
    const photos = sqliteSink(db, "photos");
    const options = { since: from, state: await photos.loadState("S-1"), allowedLateness: 3_600_000 };
    for await (const batch of pull(store.photos, "S-1", options)) await photos.saveBatch("S-1", batch);
    const inRange =
      "unixepoch(data ->> 'createdAt') >= unixepoch(?) AND unixepoch(data ->> 'createdAt') < unixepoch(?)";
    const rows = db.prepare(`SELECT data FROM photos WHERE ${inRange}`).all(from, to);
    // end
    deliverSaved(rows, ({ status }) => status === (wanted ?? status));
  },
  async "copy-fill-rates"({ store, data: { from, to }, deliver }) {
    const range = { from, to };
    // from docs/first-steps.md
    const report = await store.fillRates.across(range);
    // end
    deliver(report.groups);
  },
};

const writes: GuideLines = {
  async "change-stores"({ store, data: { stores: rows } }) {
    // from docs/write.md
    await applyPlan(store, await planStores(rows, store));
    // end
  },
  async "create-stores"({ store, data: { stores: rows } }) {
    // from docs/write.md
    await applyPlan(store, await planStores(rows, store));
    // end
  },
  async "add-contact"({ store, data: { externalId, contact: anna } }) {
    // from docs/write.md, where "S-1" is externalId
    await modify(store.contacts, externalId, (all) =>
      all.some(({ name }) => name === anna.name) ? all : [...all, anna],
    );
    // end
  },
  async "add-expositions"({ store, data: { externalId, expositions } }) {
    // from docs/write.md, where "S-1" is externalId
    await upsertExpositions(store, externalId, expositions);
    // end
  },
  async "change-exposition"({ store, data: { externalId, expositionId, label } }) {
    const change = { expositionId, label };
    // from docs/write.md, where "S-1" is externalId
    await modify(store.expositions, externalId, (all) =>
      all.map((one) => (one.expositionId === change.expositionId ? { ...one, ...change } : one)),
    );
    // end
  },
  async "report-damages"({ fleet, data: { damages }, db }) {
    // from docs/write.md, where inspections is damages and "notes" is "description"
    await ensure(fleet.damages, damages, { key: "description", sink: sqliteSink(db, "submitted") });
    // end
  },
  async "submit-inspections"({ fleet, data: { inspections }, db }) {
    // from docs/write.md
    await ensure(fleet.inspections, inspections, { key: "notes", sink: sqliteSink(db, "submitted") });
    // end
  },
  async "change-vehicles"({ fleet, data: { vehicles } }) {
    // from docs/write.md, where [{ id: String(id), brand: "Renault" }] is vehicles
    await ensure(fleet.vehicles, vehicles, { key: "id" });
    // end
  },
  async "change-inspections"({ fleet, data: { inspections } }) {
    // from docs/write.md, where [{ id: String(id), brand: "Renault" }] is inspections and vehicles is inspections
    await ensure(fleet.inspections, inspections, { key: "id" });
    // end
  },
};

const deletions: GuideLines = {
  async "delete-damages"({ fleet, data: { ids } }) {
    // from docs/write.md
    for (const id of ids) {
      await fleet.damages.delete(id).catch((error: unknown) => {
        if (!(error instanceof FleetApiError && error.code === "NOT_FOUND")) throw error;
      });
    }
    // end
  },
  async "delete-oldest-damage"({ fleet, readPlace, savePlace }) {
    // from docs/write.md
    let chosen = await readPlace();
    if (typeof chosen !== "string") {
      const timeOf = (damage: { reportedAt?: unknown }) => Date.parse(String(damage.reportedAt));
      const damages = await fleet.damages.list({ verify: true }).toArray();
      chosen = String(damages.toSorted((a, b) => timeOf(a) - timeOf(b))[0]?.["id"]);
      await savePlace(chosen);
    }
    await fleet.damages.delete(chosen).catch((error: unknown) => {
      if (!(error instanceof FleetApiError && error.code === "NOT_FOUND")) throw error;
    });
    // end
  },
};

/** The lines of the guides for all tasks. */
export const guideLines: GuideLines = { ...copies, ...writes, ...deletions };
