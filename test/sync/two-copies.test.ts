import { describe, expect, it, vi } from "vitest";
import { contactRow, fleetNotFound, memorySink, pageOf, rejection, serve, storeRow } from "./service.ts";

// as if a program had one version of the package, and a library that it uses another one: the clients and the service are those
// of the first copy
const first = await import("../../src/index.ts");
vi.resetModules();
const second = await import("../../src/index.ts");
const { applyPlan, ensure, JobError, mirror, modify, planStores, pull, pullStores, upsertExpositions } =
  await import("../../src/sync/index.ts");

it("the classes of two copies are different ones", () => {
  expect(second.WriteError).not.toBe(first.WriteError);
  expect(serve(() => [200]).store).not.toBeInstanceOf(second.StoreClient);
});

const anna = { name: "Anna", phone: "+48 600" };

/** A store whose phones are kept without blanks. */
function storeService() {
  let contacts = [contactRow(1, { name: "Ewa", phone: "1" })];
  return serve(({ method, path, body }) => {
    if (path === "/stores") return [200, { items: [storeRow(1)], nextCursor: null }];
    if (path === "/stores/S-001") return [200, storeRow(1)];
    if (method === "PUT")
      contacts = body.contacts.map(({ name, phone }, n) =>
        contactRow(n, { name, phone: phone.replaceAll(" ", "") }),
      );
    return [200, { externalId: "S-001", items: contacts }];
  });
}

describe("a job of one copy with the client of another one", () => {
  it("names a part that the service has kept in another form", async () => {
    const { store } = storeService();
    const plan = await planStores([{ externalId: "S-001", contacts: [anna] }], store);
    const error = await rejection(applyPlan(store, plan));
    expect(error).toBeInstanceOf(JobError);
    expect(error).toMatchObject({ results: [{ outcome: "differs" }], failed: [{ row: 0 }] });
  });

  it("compares what the client finds different with `equals`", async () => {
    const { store } = storeService();
    const equals = {
      "contacts.phone": (one: unknown, other: unknown) => String(one).replaceAll(" ", "") === other,
    };
    expect(await modify(store.contacts, "S-001", () => [anna], { equals })).toMatchObject({
      items: [{ phone: "+48600" }],
    });
    expect(await rejection(modify(store.contacts, "S-001", () => [{ ...anna, name: "Ola" }]))).toMatchObject({
      name: "WriteError",
      reason: "differs",
    });
  });

  it("names the expositions that the service has dropped", async () => {
    const rack = { label: "R", productCategories: [], expositionType: "FRIDGE_DRINKS" as const };
    const { store } = serve(() => [200, { externalId: "S-001", storeId: storeRow(1).storeId, items: [] }]);
    expect(await rejection(upsertExpositions(store, "S-001", [rack]))).toMatchObject({
      job: "upsertExpositions",
      failed: [{ id: "0" }],
    });
  });

  it("deletes a row if the service says that its entry does not exist", async () => {
    const rows = Array.from({ length: 20 }, (_, n) => ({ id: `v${n}` }));
    const { fleet } = serve(({ path, query }) => {
      if (path === "/vehicles") return pageOf(rows, query);
      const row = rows.find(({ id }) => path === `/vehicles/${id}`);
      return row === undefined ? fleetNotFound : [200, { data: row, meta: {} }];
    });
    const { sink, ids } = memorySink();
    await mirror(fleet.vehicles, sink);
    rows.pop();
    expect(await mirror(fleet.vehicles, sink)).toMatchObject({ deleted: 1 });
    expect(ids()).toHaveLength(19);
  });

  it("skips a deleted store, ends with a rejected token, and reads a range again whose place is refused", async () => {
    const gone = [404, { error: { code: "not_found", message: "not found" } }] as const;
    const { store, sent } = serve(({ path, query }) => {
      if (path === "/stores") return [200, { items: [storeRow(1), storeRow(2)], nextCursor: null }];
      if (path.startsWith("/stores/S-002")) return gone;
      const isSecond = query.has("cursor");
      if (isSecond && sent.filter((request) => request.query.has("cursor")).length === 1)
        return [400, { error: { code: "validation_failed", message: "expired" } }];
      const items = isSecond ? [] : [{ protocolId: "P-1", createdAt: "2026-01-01T00:00:00Z" }];
      return [200, { externalId: "S-001", items, nextCursor: isSecond ? null : "C" }];
    });
    const options = { since: "2026-01-01T00:00:00Z", allowedLateness: 0 };
    const { sink } = memorySink();
    const result = await pullStores(store, "protocols", sink, options);
    expect(result).toMatchObject({ stores: 1, skipped: 1 });
    const { store: rejecting } = serve(() => [401, { error: { code: "unauthorized", message: "" } }]);
    expect(await rejection(pullStores(rejecting, "protocols", sink, options))).toMatchObject({ status: 401 });
    const walk = pull(rejecting.protocols, "S-001", options);
    expect(await rejection(walk.next())).toMatchObject({ status: 401 });
  });

  it("finds an entity whose response was lost in the list", async () => {
    const rows: object[] = [];
    const { fleet } = serve(({ method, query, body }) => {
      if (method !== "POST") return pageOf(rows, query);
      rows.push({ id: "d1", ...body });
      return new Error("reset");
    });
    const { sink } = memorySink();
    const desired = [{ description: "D-1" }];
    expect(await ensure(fleet.damages, desired, { key: "description", sink })).toMatchObject([
      { outcome: "done", id: "d1" },
    ]);
  });
});
