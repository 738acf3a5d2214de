import { expect } from "vitest";
import { storeClientStrategies } from "../../generated/gaps.ts";
import type { ReadingsOption, StoreSeed } from "../../src/mock/index.ts";
import { InvalidRequestError, type Protocol } from "../../src/client/store/index.ts";
import { all, eitherWay, everyProtocol } from "./every-protocol.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, storeRefuses, unexpected } from "./outcomes.ts";
import { range, world } from "./world.ts";

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
      const error = await failureOf(store.protocols.list("S-1", all).toArray());
      const isError = strategy === "cursor" && w.ref.readings["protocols.next-page"] === "rejected";
      expect(error).toMatchObject(
        isError ? { name: "StoreApiError", status: 400 } : { name: "PaginationError" },
      );
      await expect(store.protocols.list("S-1", all)).resolves.toHaveProperty("items.length", 2);
    }
  };
}

stance("protocols.next-page", {
  cursor: strategies(["auto", "cursor", "window"]),
  ignored: strategies(["auto", "window"]),
  "ignored-new-cursor": strategies(["auto", "window"]),
  rejected: strategies(["auto", "window"]),
});

stance("protocols.order", { "oldest-first": eitherWay, "newest-first": eitherWay });
stance("protocols.id-property", { protocolId: eitherWay, id: eitherWay, anonymous: eitherWay });

const same = { status: "completed", createdAt: "2025-12-05T00:00:00Z" };
const equalProtocols: StoreSeed = {
  externalId: "S-1",
  protocols: [
    { ...same, protocolId: "P-1" },
    { ...same, protocolId: "P-2" },
    { ...same, protocolId: "P-3", createdAt: "2025-12-09T00:00:00Z" },
  ],
};

/** The protocols of a store of which two are equal but for their IDs. */
function listEqualProtocols(readings: ReadingsOption, limit: number): Promise<Protocol[]> {
  const { store } = world(readings, { server: { store: { stores: [equalProtocols] } } });
  return store.protocols.list("S-1", { ...range, limit }).toArray();
}

/** Equal summaries are delivered unchanged. Indistinguishable protocols lead to an error that asks for `identify`. */
function deliversEqualProtocols(expected: string[]): Check {
  return async ({ readings }) => {
    for (const limit of [2, 3])
      expect((await listEqualProtocols(readings, limit)).map(({ protocolId }) => protocolId)).toEqual(
        expected,
      );
    const anonymous = { ...readings, "protocols.id-property": "anonymous" } as const;
    expect(await listEqualProtocols(anonymous, 3)).toHaveLength(3);
    const error = await failureOf(listEqualProtocols({ ...anonymous, "protocols.next-page": "rejected" }, 2));
    expect(error).toMatchObject({
      name: "PaginationError",
      reason: expect.stringContaining("set `identify`") as string,
    });
  };
}

stance("protocols.equal-summaries", {
  distinct: deliversEqualProtocols(["P-1", "P-2", "P-3"]),
  one: deliversEqualProtocols(["P-1", "P-1", "P-3"]),
});

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

const photos = { ...range, limit: 3 };
const unconfigured = 'configure them with readings: { "photos.page-shape"';

/**
 * A list under the names that the client knows is walked. Other names lead to an error, and `listRaw` works in any case.
 */
function walkList(list: string): Check {
  return async (w) => {
    const kept = w.ref.state.store.photos.get("S-1") ?? [];
    await expect(w.store.photos.list("S-1", photos).toArray()).resolves.toHaveLength(kept.length);
    expect((await w.store.photos.list("S-1", photos)).raw).toHaveProperty(list);
    const other = list === "photos" ? "data-cursor" : "photos-nextCursor";
    const misconfigured = w.storeWith({ readings: { "photos.page-shape": other } });
    await unexpected(
      misconfigured.photos.list("S-1", photos).toArray(),
      `the response has \`externalId\`, \`${list}\``,
    );
    expect(await misconfigured.photos.listRaw("S-1", photos)).toHaveProperty(list);
  };
}

stance("photos.page-shape", {
  "items-nextCursor": walkList("items"),
  "photos-nextCursor": walkList("photos"),
  "data-cursor": walkList("data"),
  "no-list": async ({ store }) => {
    await unexpected(store.photos.list("S-1", photos).toArray(), unconfigured);
    expect(await store.photos.listRaw("S-1", photos)).toHaveProperty("count", 3);
  },
});

stance("photos.cursor-source", {
  response: walkList("items"),
  "photo-id": async (w) => {
    await unexpected(w.store.photos.list("S-1", photos).toArray(), unconfigured);
    const raw = await w.store.photos.listRaw("S-1", photos);
    const last = (raw.items as { photoId: string }[]).at(-1);
    const next = await w.store.photos.listRaw("S-1", { ...photos, cursor: last?.photoId });
    expect(next.items).toHaveLength(3);
    expect(next.items).not.toEqual(raw.items);
  },
});

/** Each of the ten values is sent once and its response returned; only the given values are rejected. */
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

/** At most one value of `status` is sent. */
const oneStatus: Check = async ({ store, ref }) => {
  const two = { ...range, status: ["completed", "annotated"] } as object as typeof range;
  const extra = { ...range, status: "completed", extra: { status: "annotated" } } as const;
  for (const query of [two, extra])
    expect(await failureOf(store.photos.list("S-1", query))).toBeInstanceOf(InvalidRequestError);
  await store.photos.list("S-1", { ...range, status: "completed" });
  expect(ref.journal.all().map(({ query }) => query.status)).toEqual(["completed"]);
};

stance("photos.two-statuses", { one: oneStatus, both: oneStatus });

stance("requests.unknown-properties", {
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
