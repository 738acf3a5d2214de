import { expect } from "vitest";
import type { StoreOperationId } from "../../generated/store.operations.ts";
import type { ProtocolRow } from "../../src/mock/index.ts";
import type { StoreUpsert } from "../../src/client/store/index.ts";
import { range, type World } from "./world.ts";

export type Step = (world: World) => Promise<void>;

const uuid = "11111111-1111-1111-1111-111111111111";

/** Every property, so that the readings of omitted properties have no effect. */
export const wholeStore: StoreUpsert = {
  name: "Whole",
  location: null,
  regionId: null,
  storeType: "Kiosk",
  openingTimes: [],
  protocolScheduleId: uuid,
  protocolCronEnabled: false,
  onboardingComplete: true,
  loginCode: "1234",
};

export const contact = { name: "Ada", phone: "1", email: "ada@example.com" };
export const other = { name: "Bo", phone: "2", email: "bo@example.com" };
export const expectation = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 0,
  protocolTime: "09:30",
  expectedFillRatio: 80,
} as const;

/**
 * Operations with input that means the same under every reading. The response is compared with the server's state. An
 * operation without a step is called with its sample.
 */
export const storeSteps: Partial<Record<StoreOperationId, Step>> = {
  listStores: async ({ store, ref, readings }) => {
    const stores = await store.stores.list({ limit: 2 }).toArray();
    const expected = [...ref.state.store.stores.values()].map(({ externalId }) => externalId);
    const ids = stores.map(({ externalId }) => externalId);
    expect(ids.filter((id) => id !== null).toSorted(byText)).toEqual(expected.toSorted(byText));
    const listed =
      readings["stores.null-external-id"] === "never-listed" ? 0 : ref.state.store.storesWithoutId.size;
    expect(ids.filter((id) => id === null)).toHaveLength(listed);
  },
  getStore: async ({ store, ref }) => {
    expect(await store.stores.get("S-1")).toEqual(ref.state.store.stores.get("S-1"));
  },
  putStore: async ({ store, ref }) => {
    expect(await store.stores.upsert("S-2", wholeStore)).toMatchObject(wholeStore);
    const { storeId } = await store.stores.upsert("new/one", wholeStore);
    expect(ref.state.store.stores.get("new/one")).toMatchObject({ ...wholeStore, storeId });
  },
  getContacts: async ({ store, ref }) => {
    const { items } = await store.contacts.get("S-1");
    expect(items).toHaveLength(ref.state.store.contacts.get("S-1")?.length ?? 0);
  },
  putContacts: async ({ store }) => {
    const { items } = await store.contacts.replace("S-1", [contact, other]);
    expect(items).toMatchObject([contact, other]);
  },
  getExpectations: async ({ store, ref }) => {
    const { items } = await store.expectations.get("S-1");
    expect(items).toHaveLength(ref.state.store.expectations.get("S-1")?.length ?? 0);
  },
  putExpectations: async ({ store }) => {
    const { items } = await store.expectations.replace("S-2", [expectation, { ...expectation, weekday: 6 }]);
    expect(items.map(({ weekday }) => weekday)).toEqual([0, 6]);
  },
  getExpositions: async ({ store, ref }) => {
    const { items } = await store.expositions.get("S-1");
    const kept = ref.state.store.expositions.get("S-1") ?? [];
    expect(items.map(({ expositionId }) => expositionId)).toEqual(
      kept.map(({ expositionId }) => expositionId),
    );
  },
  putExpositions: async ({ store, ref }) => {
    const kept = ref.state.store.expositions.get("S-2") ?? [];
    const changes = { friendlyTitle: "Title", status: "active" } as const;
    const named = kept.map((one) => ({ ...one, label: `${one.label}!`, ...changes }));
    const { items } = await store.expositions.upsert("S-2", named);
    expect(items).toEqual(named);
  },
  listProtocols: async (world) => {
    const { store } = world;
    const protocols = await store.protocols.list("S-1", { ...range, limit: 2 }).toArray();
    const expected = protocolsInRange(world).map(({ createdAt }) => inResponse(world, createdAt));
    expect(protocols.map(({ createdAt }) => String(createdAt)).toSorted()).toEqual(expected.toSorted());
  },
  getProtocol: async (world) => {
    const { store, ref } = world;
    const [first] = ref.state.store.protocols.get("S-1") ?? [];
    const { createdAt, images } = await store.protocols.get("S-1", first?.protocolId ?? "");
    expect(createdAt).toBe(inResponse(world, first?.createdAt ?? ""));
    expect(Array.isArray(images)).toBe(true);
  },
  listPhotos: async (world) => {
    const { store, ref } = world;
    const photos = await store.photos.list("S-1", { ...range, limit: 3 }).toArray();
    const listed = new Set(protocolsInRange(world).map(({ protocolId }) => protocolId));
    const kept = (ref.state.store.photos.get("S-1") ?? [])
      .filter((one) => listed.has(one.protocolId))
      .map(({ photoId }) => photoId);
    expect(photos.map(({ photoId }) => String(photoId)).toSorted()).toEqual(kept.toSorted());
  },
  getStoreFillRates: async ({ store, readings }) => {
    const response = await store.fillRates.forStore("S-1", { ...range, groupBy: "exposition" });
    expect(Array.isArray(response[readings["fill-rates.shape"] ?? "groups"])).toBe(true);
  },
  getExpositionFillRate: async ({ store, ref }) => {
    const [first] = ref.state.store.expositions.get("S-1") ?? [];
    const id = first?.expositionId ?? "";
    expect(await store.fillRates.forExposition("S-1", id, range)).toMatchObject({ expositionId: id });
  },
  getFillRates: async ({ store, readings }) => {
    const query = { ...range, externalIds: ["S-1", "S-2"], minFillRate: 0, maxFillRate: 100 };
    const response = await store.fillRates.across(query);
    expect(Array.isArray(response[readings["fill-rates.shape"] ?? "groups"])).toBe(true);
  },
};

/** The protocols of S-1 that are in the range of all time. gap time-range.instant */
function protocolsInRange({ ref, readings }: World): ProtocolRow[] {
  const rows = ref.state.store.protocols.get("S-1") ?? [];
  if (readings["time-range.instant"] !== "submission") return rows;
  return rows.filter(({ submittedAt }) => typeof submittedAt === "string");
}

/** A time as responses have it. gap date-times.forms */
export function inResponse({ readings }: World, time: string): string {
  return readings["date-times.forms"] === "responses-without-offset" ? time.replace(/Z$/, "") : time;
}

/** By code unit, as the server sorts; what has no ID comes last. */
function byText(left: string | null, right: string | null): number {
  if (left === right) return 0;
  if (left === null || right === null) return left === null ? 1 : -1;
  return left < right ? -1 : 1;
}
