import { scopes } from "../../generated/fleet.enums.ts";
import type { JsonObject } from "../../generated/store.ts";
import type { MockGap, OperationId, ReferenceServer, ReferenceServerOptions } from "../../src/mock/index.ts";
import type { RequestCase } from "../operations/request-cases.ts";
import type { storeGaps } from "../models/readings.ts";
import { range } from "../operations/store-samples.ts";

/** Sends a request, records the response and returns its body. */
export type Send = (operation: OperationId, requested?: RequestCase) => Promise<JsonObject>;

/** Requests whose responses depend on a reading that no single operation shows. */
export interface Probe {
  options?: ReferenceServerOptions;
  run(send: Send, ref: ReferenceServer): Promise<unknown>;
}

const store = { externalId: "S-1" };
const uuid = "11111111-1111-1111-1111-111111111111";
const key = `ref_${"0a".repeat(32)}`;

/** Calls an operation with a key for each scope. */
function withEachScope(...operations: OperationId[]): Probe {
  const keys = scopes.map((scope, at) => ({
    key: `ref_${at.toString(16).padStart(64, "0")}`,
    scopes: [scope],
  }));
  const ids: RequestCase = { path: { id: "field-1" } };
  return {
    options: { fleet: { keys } },
    run: async (send) => {
      for (const operation of operations) {
        for (const { key: secret } of keys) await send(operation, { ...ids, secret });
      }
    },
  };
}

/** Makes a key with a scope that a service may reject. */
function withScope(scope: string): Probe {
  const keys = [{ key, scopes: [scope as never] }]; // not a scope of the contract
  return { options: { fleet: { keys } }, run: (send) => send("listVehicles", { secret: key }) };
}

/** Reads lists between the instants of the seeded protocols and photos. */
async function narrowRanges(send: Send, ref: ReferenceServer): Promise<void> {
  for (const { createdAt } of ref.state.store.protocols.get("S-1") ?? []) {
    const soon = new Date(Date.parse(createdAt) + 1_000).toISOString();
    for (const query of [
      { from: createdAt, to: range.to },
      { from: range.from, to: createdAt },
      { from: soon, to: range.to },
      { from: range.from, to: soon },
      { from: range.from, to: new Date(Date.parse(createdAt) + 1).toISOString() },
    ]) {
      await send("listProtocols", { path: store, query });
      await send("listPhotos", { path: store, query });
    }
  }
}

async function putTemplateTwice(send: Send): Promise<void> {
  const requested: RequestCase = { path: { id: "template-2" }, body: { title: "Weekly" } };
  for (let time = 0; time < 2; time += 1) await send("updateInspectionTemplate", requested);
  await send("listInspectionTemplates");
}

/** Sends more requests at the same time than a server without options allows. */
function tooManyRequests(operation: "getStore" | "listVehicles"): Probe["run"] {
  return async (send) => {
    for (let round = 0; round < 30; round += 1) await send(operation, { path: store });
  };
}

/** Deletes a store of the second page after the first one. */
async function deleteDuringWalk(send: Send, ref: ReferenceServer): Promise<void> {
  const { nextCursor } = await send("listStores", { query: { limit: 3 } });
  const place = [...ref.state.store.stores.keys()].toSorted()[4] ?? "";
  ref.state.store.stores.delete(place);
  await send("listStores", { query: { limit: 3, cursor: String(nextCursor) } });
}

async function ratesWithoutPhotos(send: Send, ref: ReferenceServer): Promise<void> {
  ref.state.store.photos.set("S-1", []);
  await send("getStoreFillRates", { path: store, query: range });
}

async function disableExposition(send: Send, ref: ReferenceServer): Promise<void> {
  for (const exposition of ref.state.store.expositions.get("S-1") ?? []) exposition.status = "disabled";
  await send("getExpositions", { path: store });
  await send("getStoreFillRates", { path: store, query: range });
}

/** The gaps that `test/models/conformance.test.ts` compares with an independent model. */
type ComparedGap = Exclude<keyof typeof storeGaps, "limits.store-rate" | "fill-rates.bounds">;

/** The requests that show each other reading. `operations`: those of the operations that the gap concerns. */
export const readingProbes: Readonly<Record<Exclude<MockGap, ComparedGap>, Probe | "operations">> = {
  "fill-rates.bounds": "operations",
  "photos.order": "operations",
  "photos.urls": "operations",
  "lists.unfiltered-status": "operations",
  "inspections.status-values": "operations",
  "damages.status-values": "operations",
  "vehicles.type-values": "operations",
  "templates.group-filter": "operations",
  "templates.title-filter": "operations",
  "fleet.input-shapes": "operations",
  "lists.undocumented": "operations",
  "errors.undocumented-bodies": "operations",
  "templates.get-one": "operations",
  "fleet.create-status": "operations",
  "fleet.delete-response": "operations",
  "fleet.second-delete": "operations",
  "fleet.version-header": "operations",
  "inspections.template-properties": "operations",
  "templates.options": "operations",
  "fields.no-response": "operations",
  "fields.no-status-rule": "operations",
  "fleet.limit-out-of-range": "operations",
  "fleet.page-past-end": "operations",
  "templates.inactive": "operations",
  "fleet.unsent-filters": "operations",
  "fleet.malformed-ids": "operations",
  "fleet.unknown-version": "operations",
  "fleet.put": "operations",
  "fleet.unknown-properties": "operations",
  "lists.unknown-filters": "operations",
  "fleet.patch": "operations",
  "fleet.file-urls": "operations",
  "limits.store-rate": { run: tooManyRequests("getStore") },
  "limits.fleet-rate": { run: tooManyRequests("listVehicles") },
  "stores.external-id-equality": {
    run: async (send) => {
      await send("getStore", { path: { externalId: "s-1" } });
      await send("putStore", { path: { externalId: " New " }, body: { name: "A" } });
    },
  },
  "time-range.precision": { run: narrowRanges },
  "lists.store-order": { run: deleteDuringWalk },
  "lists.cursor-position": {
    run: async (send) => {
      const query = { ...range, limit: 2 };
      const { nextCursor } = await send("listPhotos", { path: store, query });
      await send("listPhotos", { path: store, query: { ...query, cursor: String(nextCursor) } });
    },
  },
  "photos.unknown-ids": {
    run: (send) => send("listPhotos", { path: store, query: { ...range, protocolId: "unknown" } }),
  },
  "stores.unknown-references": {
    run: (send) => send("putStore", { path: store, body: { regionId: uuid } }),
  },
  "stores.login-code": {
    run: (send, ref) => {
      const { loginCode } = ref.state.store.stores.get("S-2") ?? {};
      return send("putStore", { path: store, body: { loginCode } });
    },
  },
  "expositions.foreign-id": {
    run: async (send, ref) => {
      const [first] = ref.state.store.expositions.get("S-2") ?? [];
      await send("putExpositions", { path: store, body: { expositions: [first] } });
      await send("getExpositions", { path: { externalId: "S-2" } });
    },
  },
  "fill-rates.empty-groups": { run: ratesWithoutPhotos },
  "fill-rates.disabled-expositions": { run: disableExposition },
  "expositions.disabled": { run: disableExposition },
  "stores.opening-times": {
    run: (send) => {
      const openingTimes = [{ weekday: 1, from: "08:00", to: "07:00" }];
      return send("putStore", { path: store, body: { openingTimes } });
    },
  },
  "fill-rates.false-flag": {
    run: (send) => send("getFillRates", { query: { ...range, belowExpectationOnly: false } }),
  },
  "lists.fleet-order": {
    run: async (send) => {
      await send("updateVehicle", { path: { id: "vehicle-1" }, body: { brand: "DAF" } });
      await send("listVehicles");
    },
  },
  "fleet.repeated-post": {
    run: async (send) => {
      for (let time = 0; time < 2; time += 1) await send("createVehicle", { body: { plateNumber: "WX 1" } });
    },
  },
  "fleet.delete-dependents": {
    run: async (send, ref) => {
      ref.state.fleet.damages.set("own", { id: "own", vehicleId: "vehicle-1" });
      await send("deleteVehicle", { path: { id: "vehicle-1" } });
      await send("getDamage", { path: { id: "own" } });
    },
  },
  "inspections.reported-damages": {
    run: async (send) => {
      await send("submitInspection", { body: { damages: [{ description: "Dent" }] } });
      await send("listDamages");
    },
  },
  "fleet.search": {
    run: async (send) => {
      for (const search of ["tyre", "of tyres"]) await send("listVehicleFields", { query: { search } });
    },
  },
  "fleet.null-properties": {
    run: (send) => send("updateVehicle", { path: { id: "vehicle-1" }, body: { brand: null } }),
  },
  "scopes.list-templates": withEachScope("listInspectionTemplates"),
  "scopes.get-damage": withEachScope("getDamage"),
  "scopes.field-vehicles": withEachScope("listVehicleFieldVehicles"),
  "scopes.implications": withEachScope("listVehicles"),
  "errors.forbidden-details": withEachScope("listVehicles"),
  "keys.review-scopes": withScope("users:read"),
  "keys.unknown-scopes": withScope("reports:read"),
  "keys.hex-case": {
    run: (send) => send("listVehicles", { secret: `ref_${"0A".repeat(32)}` }),
  },
  "fleet.deleted-resources": {
    run: async (send) => {
      await send("deleteVehicle", { path: { id: "vehicle-3" } });
      await send("getVehicle", { path: { id: "vehicle-3" } });
    },
  },
  "fleet.absent-properties": {
    run: async (send) => {
      const { data } = await send("createDamage", { body: {} });
      await send("getDamage", { path: { id: String((data as JsonObject).id) } });
    },
  },
  "templates.version-after-put": { run: putTemplateTwice },
};
