import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  type ExpositionInput,
  InvalidRequestError,
  StoreApiError,
  StoreClient,
  upsertExpositions,
} from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { stubClient, uuid } from "./stub-client.ts";

function setUp(readings: Record<string, string> = {}) {
  const ref = createReferenceServer({ store: { stores: 2 }, readings });
  const options = { baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, retry: 0 };
  const store = new StoreClient({ ...options, readings });
  const requests = (): unknown[] => ref.journal.all().map(({ operation }) => operation);
  const count = async (): Promise<number> => (await store.expositions.get("S-1")).items.length;
  return { ref, store, requests, count };
}

const types = ["FRIDGE_DRINKS", "FRIDGE_SALADS", "READY_MEALS_NOT_OFFERED"];

function make(count: number): ExpositionInput[] {
  return Array.from({ length: count }, (_, at) => ({
    label: `E-${at}`,
    productCategories: ["DRINKS"],
    expositionType: types[at % 3] as string,
  }));
}

describe("upsertExpositions", () => {
  it("sends 500 in a request and returns all that the store has", async () => {
    const { ref, store, requests, count } = setUp();
    const before = await count();
    const progress: string[] = [];
    const { items } = await upsertExpositions(store, "S-1", make(1100), {
      absent: "keep",
      onChunk: ({ done, total }) => progress.push(`${done}/${total}`),
    });
    expect(progress).toEqual(["500/1100", "1000/1100", "1100/1100"]);
    expect(items).toHaveLength(before + 1100);
    expect(requests().slice(1)).toEqual([
      "getExpositions",
      "putExpositions",
      "putExpositions",
      "putExpositions",
      "getExpositions",
    ]);
    expect(ref.journal.violations()).toEqual([]);
  });

  it.each([
    ["an empty list", []],
    ["expositions that are equal already", make(3)],
  ])("sends nothing for %s", async (_, expositions) => {
    const { store, requests } = setUp();
    await upsertExpositions(store, "S-1", make(3));
    const { length } = requests();
    await upsertExpositions(store, "S-1", expositions);
    expect(requests().slice(length)).toEqual(["getExpositions"]);
  });

  it.each(["keep", "disable", "delete"] as const)(
    "leaves other expositions as they are under expositions.absent: %s",
    async (reading) => {
      const { store } = setUp({ "expositions.absent": reading });
      const { items: before } = await store.expositions.get("S-1");
      const { items } = await upsertExpositions(store, "S-1", make(2));
      expect(items).toEqual(expect.arrayContaining(before));
    },
  );

  it.each([
    [501, []],
    [500, ["getExpositions"]],
  ])("sends no %i expositions that need several requests without absent: keep", async (count, sent) => {
    const { store, requests } = setUp();
    const failure = upsertExpositions(store, "S-1", make(count));
    await expect(failure).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(failure).rejects.toThrow('set absent: "keep"');
    expect(requests()).toEqual(sent);
  });

  it.each(["always-new", "label", "label-and-type"] as const)(
    "creates nothing twice if it is repeated after a failure under expositions.matching: %s",
    async (reading) => {
      const { ref, store, count } = setUp({ "expositions.matching": reading });
      const before = await count();
      let puts = 0;
      const unstable = store.withOptions({
        fetch: async (url, init) => {
          const response = await ref.fetch(url, init);
          // the second request is processed, and its response is lost
          if (init.method === "PUT" && (puts += 1) === 2) throw new TypeError("reset");
          return response;
        },
      });
      await expect(upsertExpositions(unstable, "S-1", make(700), { absent: "keep" })).rejects.toThrow(
        "reset",
      );
      const { items } = await upsertExpositions(unstable, "S-1", make(700), { absent: "keep" });
      expect(items).toHaveLength(before + 700);
    },
  );

  it.each([[5], [{}]])("sends nothing after a list with the expositionId %j", async (expositionId) => {
    const [element] = make(1);
    const items = [{ ...element, expositionId, friendlyTitle: null, status: "active" }];
    const { client, sent } = stubClient(() => json({ externalId: "S-1", items }));
    await expect(upsertExpositions(client, "S-1", make(2))).rejects.toMatchObject({
      reason: "malformed",
      issues: [{ path: "items.0.expositionId", message: "must be a string" }],
    });
    expect(sent.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("rejects if an exposition of the same type was overwritten because the service matches by type", async () => {
    const { store } = setUp({ "expositions.matching": "type" });
    const unaware = store.withOptions({ readings: {} });
    const [stored] = (await store.expositions.get("S-1")).items;
    const given = { label: "E", productCategories: [], expositionType: String(stored?.expositionType) };
    await expect(upsertExpositions(unaware, "S-1", [given], { absent: "keep" })).rejects.toMatchObject({
      reason: "differs",
      message: expect.stringContaining("was changed although no element refers to it") as string,
    });
    await expect(upsertExpositions(store, "S-1", make(4))).rejects.toThrow(
      "3: refers to the same exposition as element 0",
    );
  });

  it.each([
    ["has fewer", (all: object[]) => all.slice(0, 200), "200: is not stored as it was given"],
    [
      "has another status",
      (all: object[]) => all.map((one) => ({ ...one, status: "disabled" })),
      "0: is not stored",
    ],
    ["has one twice", (all: object[]) => [...all, { ...all[0], expositionId: uuid }], "0: fits several"],
  ])("rejects if the last read %s", async (_, change, message) => {
    const stored: object[] = [];
    const { client } = stubClient(({ method, body }) => {
      const sent = method === "PUT" ? (body as { expositions: object[] }).expositions : [];
      for (const one of sent) {
        const expositionId = `00000000-0000-0000-0000-${String(stored.length).padStart(12, "0")}`;
        stored.push({ status: "active", friendlyTitle: null, ...one, expositionId });
      }
      return json({ externalId: "S-1", storeId: uuid, items: stored.length > 0 ? change(stored) : [] });
    });
    const failure = upsertExpositions(client, "S-1", make(700), { absent: "keep" });
    await expect(failure).rejects.toMatchObject({
      reason: "differs",
      message: expect.stringContaining(message) as string,
    });
  });

  it("matches by ID in either case, keeps an omitted title and enables without a status", async () => {
    const { store } = setUp();
    const created = { ...make(1)[0], friendlyTitle: "T", status: "disabled" } as ExpositionInput;
    const { items: before } = await upsertExpositions(store, "S-1", [created]);
    const expositionId = before.at(-1)?.expositionId.toUpperCase() as string;
    const { items } = await upsertExpositions(store, "S-1", [
      { ...make(9)[8], label: "New", expositionId } as ExpositionInput,
    ]);
    expect(items).toHaveLength(before.length);
    expect(items.at(-1)).toMatchObject({ label: "New", friendlyTitle: "T", status: "active" });
  });

  it.each([
    ["before", (one: ExpositionInput, renamed: ExpositionInput) => [one, renamed]],
    ["after", (one: ExpositionInput, renamed: ExpositionInput) => [renamed, one]],
  ])("rejects an element without ID %s one that gives an exposition its label and type", async (_, order) => {
    const { store, requests } = setUp();
    const [one] = make(1) as [ExpositionInput];
    const expositionId = (await store.expositions.get("S-1")).items[0]?.expositionId ?? "";
    const before = requests().length;
    await expect(upsertExpositions(store, "S-1", order(one, { ...one, expositionId }))).rejects.toThrow(
      "1: refers to the same exposition as element 0",
    );
    expect(requests()).toHaveLength(before);
  });

  it("rejects elements that fit several expositions, and two elements for one", async () => {
    const { store, requests } = setUp();
    const [one] = make(1) as [ExpositionInput];
    await expect(upsertExpositions(store, "S-1", [one, one])).rejects.toThrow(
      "1: refers to the same exposition as element 0",
    );
    expect(requests()).toEqual([]);
    await store.expositions.upsert("S-1", [one, one]);
    await expect(upsertExpositions(store, "S-1", [one])).rejects.toThrow(
      "0: fits several expositions: give its expositionId",
    );
  });

  it("rejects with the error of a request, and does not send the ones after it", async () => {
    const page = { externalId: "S-1", storeId: uuid, items: [] };
    const { client, sent } = stubClient((_, index) => json(page, { status: index === 2 ? 400 : 200 }));
    const failure = upsertExpositions(client, "S-1", make(1500), { absent: "keep" });
    await expect(failure).rejects.toBeInstanceOf(StoreApiError);
    expect(sent).toHaveLength(3);
  });

  it("ends with the reason of a promise that onChunk returns", async () => {
    const { store, requests } = setUp();
    const onChunk = async (): Promise<never> => {
      throw new Error("no paper");
    };
    const call = upsertExpositions(store, "S-1", make(600), { absent: "keep", onChunk });
    await expect(call).rejects.toThrow("no paper");
    expect(requests()).toEqual(["getExpositions", "putExpositions"]);
  });
});

describe("upsertExpositions and the store", () => {
  const [stored] = make(1).map((one) => ({
    ...one,
    expositionId: uuid,
    friendlyTitle: null,
    status: "active",
  }));
  const other = uuid.replace("1", "2");

  it.each<[string, string[], object, string]>([
    ["a write to another store", ["PUT"], { externalId: "S-2" }, "externalId"],
    ["a write to a store that has taken the external ID", ["PUT"], { storeId: other }, "storeId"],
    ["another store that has the external ID now", ["PUT", "GET"], { storeId: other }, "storeId"],
  ])("reports %s, and says that it was sent", async (_, [method, last = method], change, path) => {
    let isWritten = false;
    const { client } = stubClient((request) => {
      isWritten ||= request.method === "PUT";
      const isChanged = isWritten && request.method === last;
      const items = isWritten ? [{ ...stored, status: "disabled" }] : [stored];
      return json({ externalId: "S-1", storeId: uuid, items, ...(isChanged ? change : {}) });
    });
    const expositions = [{ ...make(1)[0], status: "disabled" } as ExpositionInput];
    const error = await upsertExpositions(client, "S-1", expositions).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ reason: "other-entity", issues: [{ path }] });
    expect(String(error)).toContain("was sent");
  });
});
