import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";

const saved = () => {
  const ref = createReferenceServer({ store: { stores: 2 }, now: "2026-05-01T00:00:00Z" });
  ref.clock.advance({ hours: 1 });
  return ref.exportState();
};

describe("importState", () => {
  it("replaces the data and sets the clock, and reset restores both", () => {
    const ref = createReferenceServer({ now: "2026-01-01T00:00:00Z" });
    ref.importState(saved());
    for (const change of [
      () => {},
      () => ref.state.store.stores.clear(),
      () => ref.clock.advance({ days: 3 }),
    ]) {
      change();
      ref.reset();
      expect(ref.exportState()).toEqual(saved());
      expect(ref.clock.now().toISOString()).toBe("2026-05-01T01:00:00.000Z");
    }
  });

  it("sets a running clock, which continues from there", () => {
    const ref = createReferenceServer({ now: "system" });
    ref.importState(saved());
    const begun = ref.clock.ms();
    expect(begun - Date.parse("2026-05-01T01:00:00Z")).toBeGreaterThanOrEqual(0);
    expect(ref.clock.now().toISOString()).toMatch(/^2026-05-01/);
  });

  it("keeps the clock if the state has no time, and always keeps credentials, readings, overrides and journal", async () => {
    const ref = createReferenceServer({ now: "2026-01-01T00:00:00Z" });
    const { token } = ref.credentials.addToken();
    ref.switchReadings({ "stores.omitted-fields": "reset" });
    ref.on("listStores").always({ status: 500 });
    await ref.fetch(`${ref.storeUrl}/v1/stores`);
    const { now: _now, ...state } = saved();
    ref.importState(state);
    expect(ref.clock.now().toISOString()).toBe("2026-01-01T00:00:00.000Z");
    const headers = { authorization: `Bearer ${token}` };
    expect((await ref.fetch(`${ref.storeUrl}/v1/stores/S-1`, { headers })).status).toBe(200);
    expect(ref.readings["stores.omitted-fields"]).toBe("reset");
    expect(ref.overrides.all()).toHaveLength(1);
    expect(ref.journal.all()).toHaveLength(2);
  });

  it("copies the state, so that later changes of either do not affect the other", () => {
    const state = saved();
    const ref = createReferenceServer();
    ref.importState(state);
    const store = ref.state.store.stores.get("S-1");
    if (store === undefined) throw new Error("there is a store");
    store.name = "Changed";
    expect(state).toEqual(saved());
  });

  it("is undone by restoring a snapshot", () => {
    const ref = createReferenceServer({ store: { stores: 5 } });
    const before = ref.snapshot();
    ref.importState(saved());
    expect(ref.state.store.stores.size).toBe(2);
    ref.restore(before);
    expect(ref.state.store.stores.size).toBe(5);
  });
});

it.each([".", ".."])("a state whose store, protocol or vehicle has the ID %j is rejected", (id) => {
  const ref = createReferenceServer({
    store: { stores: [{ externalId: "S-dots", protocols: [{ protocolId: "P-dots" }] }] },
    fleet: { vehicles: [{ id: "V-dots" }] },
  });
  const text = JSON.stringify(ref.exportState());
  for (const known of ["S-dots", "P-dots", "V-dots"]) {
    const state = JSON.parse(text.replaceAll(`"${known}"`, JSON.stringify(id))) as never; // any JSON is checked
    expect(() => createReferenceServer({ state })).toThrow("must not be a dot segment");
  }
});
