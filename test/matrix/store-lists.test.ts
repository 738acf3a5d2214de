import { expect } from "vitest";
import { storeClientStrategies } from "../../generated/gaps.ts";
import type { ProtocolListQuery } from "../../src/store/index.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, storeRefuses, unexpected } from "./outcomes.ts";
import { whole } from "./store-steps.ts";
import { range, type World } from "./world.ts";

const all = { ...range, limit: 2 };

/** Every protocol of a store, once; however the server pages. */
async function everyProtocol({ store, ref }: World, query: Partial<ProtocolListQuery> = {}): Promise<void> {
  const items = await store.protocols.list("S-1", { ...all, ...query }).toArray(whole);
  const made = (ref.state.store.protocols.get("S-1") ?? []).map(({ createdAt }) => createdAt);
  expect(items.map(({ createdAt }) => String(createdAt)).toSorted()).toEqual(made.toSorted());
}

type Strategy = (typeof storeClientStrategies)["protocols.next-page"][number];

/** Each strategy delivers every protocol, or those before it fails loudly. */
function strategies(delivering: Strategy[]): Check {
  return async (w) => {
    for (const strategy of storeClientStrategies["protocols.next-page"]) {
      const store = w.storeWith({ strategies: { "protocols.next-page": strategy } });
      if (delivering.includes(strategy)) {
        await everyProtocol({ ...w, store });
        continue;
      }
      const error = await failureOf(store.protocols.list("S-1", all).toArray(whole));
      const loud = strategy === "cursor" && w.ref.readings["protocols.next-page"] === "rejected";
      expect(error).toMatchObject(
        loud ? { name: "StoreApiError", status: 400 } : { name: "PaginationError" },
      );
      await expect(store.protocols.list("S-1", all)).resolves.toHaveProperty("items.length", 2);
    }
  };
}

stance("protocols.next-page", {
  cursor: strategies(["auto", "cursor", "window"]),
  ignored: strategies(["auto", "window"]),
  "ignored-fresh": strategies(["auto", "window"]),
  rejected: strategies(["auto", "window"]),
});

/** By cursor and by windows, with and without a protocol on each edge of a window. */
const eitherWay: Check = async (w) => {
  await everyProtocol(w);
  const store = w.storeWith({ strategies: { "protocols.next-page": "window" } });
  for (const limit of [1, 2, 3]) await everyProtocol({ ...w, store }, { limit });
};

stance("protocols.order", { "oldest-first": eitherWay, "newest-first": eitherWay });
stance("protocols.id-member", { protocolId: eitherWay, id: eitherWay, anonymous: eitherWay });

stance("protocols.id-format", {
  text: async (w) => {
    await expect(w.store.protocols.get("S-1", "P-S-1-1")).resolves.toHaveProperty("images");
  },
  uuid: async (w) => {
    const id = w.ref.state.store.protocols.get("S-1")?.[0]?.protocolId ?? "";
    expect(id).toMatch(/^[\da-f-]{36}$/);
    await expect(w.store.protocols.get("S-1", id)).resolves.toHaveProperty("images");
  },
});

/** Whether the protocol that was made at the end of the range is in it; each is delivered once in any case. */
function withTheEnd(expected: boolean): Check {
  return async (w) => {
    await eitherWay(w);
    const last = w.ref.state.store.protocols.get("S-1")?.at(-1);
    const to = last?.createdAt ?? "";
    for (const strategy of ["cursor", "window"] as const) {
      const store = w.storeWith({ strategies: { "protocols.next-page": strategy } });
      const items = await store.protocols.list("S-1", { ...all, to }).toArray(whole);
      expect(items.filter(({ createdAt }) => createdAt === to)).toHaveLength(expected ? 1 : 0);
      expect(items).toHaveLength(expected ? 5 : 4);
    }
  };
}

stance("time-range.ends", {
  "half-open": withTheEnd(false),
  inclusive: withTheEnd(true),
  exclusive: withTheEnd(false),
  "left-open": withTheEnd(true),
});

/** The client refuses before sending, so nobody meets the difference. */
const refusesInverted: Check = async ({ store, ref }) => {
  const inverted = { from: range.to, to: range.from };
  for (const call of [store.protocols.list("S-1", inverted), store.fillRates.forStore("S-1", inverted)])
    expect(await failureOf(call)).toMatchObject({ name: "InvalidRequestError", issues: [{ path: "from" }] });
  expect(ref.journal.all()).toEqual([]);
};

stance("time-range.inverted", { reject: refusesInverted, empty: refusesInverted });

const photos = { ...range, limit: 3 };
const untold = 'tell the client with readings: { "photos.page-shape"';

/** The names that the client was told are walked; other names are loud, and `raw` is there in any case. */
function walked(list: string): Check {
  return async (w) => {
    const kept = w.ref.state.store.photos.get("S-1") ?? [];
    await expect(w.store.photos.list("S-1", photos).toArray(whole)).resolves.toHaveLength(kept.length);
    expect((await w.store.photos.list("S-1", photos)).raw).toHaveProperty(list);
    const other = list === "photos" ? "data-cursor" : "photos-nextCursor";
    const misled = w.storeWith({ readings: { "photos.page-shape": other } });
    await unexpected(
      misled.photos.list("S-1", photos).toArray(whole),
      `the response has \`externalId\`, \`${list}\``,
    );
    expect((await misled.photos.list("S-1", photos)).raw).toHaveProperty(list);
  };
}

stance("photos.page-shape", {
  "items-nextCursor": walked("items"),
  "photos-nextCursor": walked("photos"),
  "data-cursor": walked("data"),
  "no-list": async ({ store }) => {
    await unexpected(store.photos.list("S-1", photos).toArray(whole), untold);
    expect((await store.photos.list("S-1", photos)).raw).toHaveProperty("count", 3);
  },
});

stance("photos.cursor-source", {
  response: walked("items"),
  "photo-id": async (w) => {
    await unexpected(w.store.photos.list("S-1", photos).toArray(whole), untold);
    const { raw } = await w.store.photos.list("S-1", photos);
    const last = (raw.items as { photoId: string }[]).at(-1);
    const next = await w.store.photos.list("S-1", { ...photos, cursor: last?.photoId });
    expect(next.raw.items).toHaveLength(3);
    expect(next.raw.items).not.toEqual(raw.items);
  },
});

/** Each of the ten values is sent once, and its answer handed on; refused are those given. */
function refusing(...refused: string[]): Check {
  return async ({ store, ref }) => {
    const statuses = [
      "awaiting_submission",
      "processing",
      "completed",
      "failed",
      "pending",
      "annotated",
    ] as const;
    for (const status of statuses) {
      const list = store.photos.list("S-1", { ...range, status });
      if (refused.includes(status)) await storeRefuses(list, 400);
      else expect((await list).items.length).toBeLessThanOrEqual(100);
    }
    expect(ref.journal.of("listPhotos").map(({ query }) => query.status)).toEqual(statuses);
  };
}

stance("photos.status", {
  either: refusing(),
  both: refusing(),
  protocol: refusing(),
  image: refusing(),
  "protocol-only": refusing("pending", "annotated"),
  "image-only": refusing("awaiting_submission", "processing"),
});

/** Every store comes once, in pages of any size, whatever a cursor means. */
function everyStore(ids: (string | null)[]): Check {
  return async ({ store }) => {
    for (const limit of [1, 2, 3, 5]) {
      const items = await store.stores.list({ limit }).toArray(whole);
      expect(items.map(({ externalId }) => externalId)).toEqual(ids);
    }
  };
}

const ids = ["S-1", "S-2", "S-3", "S-4", "S-5"];
stance("stores.cursor-start", { after: everyStore(ids), at: everyStore(ids) });
stance("stores.null-external-id", { "never-listed": everyStore(ids), listed: everyStore([...ids, null]) });

const unknown = { cursor: "S-3/none", limit: 1 };

stance("stores.unknown-cursor", {
  "next-greater": async ({ store }) => {
    expect((await store.stores.list(unknown).toArray(whole)).map((one) => one.externalId)).toEqual(
      ids.slice(3),
    );
  },
  reject: ({ store }) => storeRefuses(store.stores.list(unknown).toArray(whole), 400),
  empty: async ({ store }) => {
    expect(await store.stores.list(unknown).toArray(whole)).toEqual([]);
  },
});

stance("requests.unknown-members", {
  ignored: async (w) => {
    await everyProtocol(w);
    const body = { name: "X", unknown: 1 };
    expect(await w.store.stores.upsert("S-1", body)).toMatchObject({ name: "X" });
    expect(await w.store.stores.list({ extra: { region: "x" } })).toHaveProperty("items.length", 5);
  },
  rejected: async (w) => {
    await everyProtocol(w);
    const body = { name: "X", unknown: 1 };
    await storeRefuses(w.store.stores.upsert("S-1", body), 400, { code: "validation_failed" });
    await storeRefuses(w.store.stores.list({ extra: { region: "x" } }), 400);
  },
});
