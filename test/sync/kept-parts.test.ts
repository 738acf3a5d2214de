import { expect, it } from "vitest";
import { applyPlan, planStores } from "../../src/sync/index.ts";
import { contactRow, memorySink, rejection, serve, storeRow } from "./service.ts";

/** A service that keeps phones without blanks. */
function service() {
  const state = { phones: ["1"], puts: 0 };
  const { store } = serve(({ method, path, body }) => {
    if (path === "/stores") return [200, { items: [storeRow(1)], nextCursor: null }];
    if (path === "/stores/S-001") return [200, storeRow(1)];
    if (method === "PUT") {
      state.puts += 1;
      state.phones = body.contacts.map(({ phone }) => phone.replaceAll(" ", ""));
    }
    const items = state.phones.map((phone, n) => contactRow(n, { name: "Anna", phone }));
    return [200, { externalId: "S-001", items }];
  });
  return { store, state };
}

it("a part that the service keeps in another form is written once, if both functions have the sink", async () => {
  const { store, state } = service();
  const { sink } = memorySink();
  const run = async (phone = "+48 600") => {
    const plan = await planStores([{ externalId: "S-001", contacts: [{ name: "Anna", phone }] }], store, {
      sink,
    });
    return applyPlan(store, plan, { sink });
  };
  expect(await rejection(run())).toMatchObject({ name: "JobError" });
  expect(await run()).toMatchObject([{ outcome: "unchanged" }]);
  expect(state.puts).toBe(1);
  // another value of the table or of the service is written
  expect(await rejection(run("+48 700"))).toMatchObject({ name: "JobError" });
  state.phones = ["+48900"];
  expect(await rejection(run("+48 700"))).toMatchObject({ name: "JobError" });
  expect(await run("+48 700")).toMatchObject([{ outcome: "unchanged" }]);
  expect(state.puts).toBe(3);
  expect(await run("+48800")).toMatchObject([{ outcome: "done" }]);
  expect([...(await sink.findRecords(["kept/S-001"])).values()]).toEqual(["{}"]);
});

it("nothing is remembered of stores that are as they were sent, of more than 500 stores", async () => {
  const { sink } = memorySink();
  const { store } = serve(({ method, path, body }) => {
    if (method === "PUT") return [200, storeRow(1, { externalId: path.split("/")[2], ...body })];
    return path === "/stores"
      ? [200, { items: [], nextCursor: null }]
      : [404, { error: { code: "not_found", message: "" } }];
  });
  const rows = Array.from({ length: 1001 }, (_, n) => ({ externalId: `N-${n}`, name: "x" }));
  const asked: number[] = [];
  const counting = {
    ...sink,
    findRecords: (keys: readonly string[]) => (asked.push(keys.length), sink.findRecords(keys)),
  };
  const plan = await planStores(rows, store, { sink: counting });
  expect(asked).toEqual([500, 500, 1]);
  await applyPlan(store, plan, { sink });
  expect([...(await sink.findRecords(rows.map(({ externalId }) => `kept/${externalId}`))).keys()]).toEqual(
    [],
  );
});
