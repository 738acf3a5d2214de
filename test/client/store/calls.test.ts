import { describe, expect, it } from "vitest";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient } from "./stub-client.ts";

// what a caller without a compiler might hand in
const odd = (value: unknown): never => value as never;

describe("a sent request", () => {
  it("distinguishes null from an omitted property", async () => {
    const { client, sent } = stubClient();
    await client.stores.upsert("S", { storeType: null });
    await client.stores.upsert("S", {});
    await client.stores.upsert("S", odd({ storeType: undefined }));
    expect(sent.map(({ body }) => body)).toEqual([{ storeType: null }, {}, {}]);
  });

  it("has the arguments at the time of the call", async () => {
    const { client, sent } = stubClient();
    const body = { name: "before" };
    const call = client.stores.upsert("S", body);
    body.name = "after";
    await call;
    expect(sent[0]?.body).toEqual({ name: "before" });
  });

  it("has the path of its route for every ID", async () => {
    const { client, sent } = stubClient();
    for (const id of ["%2e%2e", "a/b", "a?b#c", "ż 1", ".hidden", "a\\b"]) await client.contacts.get(id);
    expect(sent.map(({ path }) => path)).toEqual(
      ["%252e%252e", "a%2Fb", "a%3Fb%23c", "%C5%BC%201", ".hidden", "a%5Cb"].map(
        (id) => `/base/v1/stores/${id}/contacts`,
      ),
    );
  });
});

describe("a call", () => {
  it("is sent at once and only once, even if it is awaited several times", async () => {
    const { client, sent } = stubClient(() => json(store));
    const call = client.stores.get("S");
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(sent).toHaveLength(1);
    expect([await call, await call, (await call.withResponse()).data]).toEqual([store, store, store]);
    expect(await Promise.all([call.withResponse(), call.withResponse()])).toMatchObject([
      { response: { status: 200 } },
      {},
    ]);
    expect(sent).toHaveLength(1);
  });

  it("a failed call rejects once if only its response is requested", async () => {
    const { client } = stubClient(() => json({}, { status: 404 }));
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    await expect(client.stores.get("S").withResponse()).rejects.toMatchObject({ status: 404 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  it("sends the query as it was when the call was made", async () => {
    const { client, sent } = stubClient();
    const [day, ids] = [new Date(0), ["S-1"]];
    const query = { from: day, to: day, externalIds: ids };
    const call = client.fillRates.across(query);
    day.setTime(1);
    ids.push("S-2");
    query.to = new Date(2);
    await call;
    const instant = "1970-01-01T00%3A00%3A00.000Z";
    expect(sent[0]?.url).toContain(`?from=${instant}&to=${instant}&externalIds=S-1`);
    expect(sent[0]?.url).not.toContain("S-2");
  });
});
