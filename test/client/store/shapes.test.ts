import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Shape, UnexpectedResponseError } from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { range, store, stubClient, uuid } from "./stub-client.ts";

/** A Standard Schema made by hand, as a small library would. */
function shape<Output>(read: (value: Record<string, unknown>) => Output): Shape<Output> {
  return {
    "~standard": { version: 1, validate: (value) => ({ value: read(value as Record<string, unknown>) }) },
  };
}

const protocol = z.object({ protocolId: z.string() });
const page = { externalId: "S-1", items: [{ protocolId: "P-1", more: 1 }], nextCursor: null };
const detail = { protocolId: "P-1", more: 1, images: [{ imageId: "I-1" }, { imageId: "I-2" }] };
const modes = ["envelope", "full"] as const;

describe.each(modes)("a shape, under validate: %s,", (validate) => {
  it("reads a list's items, and the raw response stays what it was", async () => {
    const { client } = stubClient(() => json(page), { validate, shapes: { protocol } });
    const first = await client.protocols.list("S-1", range);
    expect(first.items).toEqual([{ protocolId: "P-1" }]);
    expect(first.raw).toEqual(page);
    expect(await client.protocols.list("S-1", range).take(9)).toEqual([{ protocolId: "P-1" }]);
  });

  it("reads photos under the names of the reading", async () => {
    const { client } = stubClient(() => json({ photos: [{ taken: "2026-01-01" }], nextCursor: null }), {
      validate,
      readings: { "photos.page-shape": "photos-nextCursor" },
      shapes: { photo: z.object({ taken: z.string().transform((text) => new Date(text)) }) },
    });
    const [photo] = await client.photos.list("S", range).take(1);
    expect(photo?.taken.getUTCFullYear()).toBe(2026);
  });

  it("reads the fill rates of an exposition", async () => {
    const { client } = stubClient(() => json({ groups: [1, 2, 3] }), {
      validate,
      shapes: { expositionFillRate: shape(({ groups }) => ["exposition", groups]) },
    });
    const { data, response } = await client.fillRates.forExposition("S", uuid, range).withResponse();
    expect([data, response.status]).toEqual([["exposition", [1, 2, 3]], 200]);
  });

  it("reads a protocol and its images", async () => {
    const shapes = {
      protocol: protocol.strict().transform((one) => ({ ...one, read: true })),
      protocolImage: z.object({ imageId: z.string() }),
    };
    const { client } = stubClient(() => json({ protocolId: "P-1", images: detail.images }), {
      validate,
      shapes,
    });
    expect(await client.protocols.get("S", "P-1")).toEqual({
      protocolId: "P-1",
      read: true,
      images: detail.images,
    });
  });
});

describe("a protocol's detail", () => {
  it("stays as it was returned without shapes", async () => {
    const { client } = stubClient(() => json(detail));
    expect(await client.protocols.get("S", "P")).toEqual(detail);
  });

  it("has its images as they are where only the protocol has a shape", async () => {
    const { client } = stubClient(() => json(detail), { shapes: { protocol } });
    expect(await client.protocols.get("S", "P")).toEqual({ protocolId: "P-1", images: detail.images });
  });

  it("has its other properties as they are where only its images have a shape", async () => {
    const { client } = stubClient(() => json(detail), {
      shapes: {
        protocolImage: z.object({ imageId: z.string() }).transform(({ imageId }) => ({ id: imageId })),
      },
    });
    expect(await client.protocols.get("S", "P")).toEqual({
      ...detail,
      images: [{ id: "I-1" }, { id: "I-2" }],
    });
  });

  it("stays an instance of the class that its shape makes", async () => {
    class Visit {
      readonly id: unknown;
      constructor(id: unknown) {
        this.id = id;
      }
      get label(): string {
        return `visit ${String(this.id)}`;
      }
    }
    for (const finish of [(one: Visit) => one, (one: Visit) => Object.freeze(one)]) {
      const { client } = stubClient(() => json(detail), {
        shapes: { protocol: shape(({ protocolId }) => finish(new Visit(protocolId))) },
      });
      expect(await client.protocols.get("S", "P")).toMatchObject({
        id: "P-1",
        label: "visit P-1",
        images: detail.images,
      });
    }
  });

  it("is a ConfigurationError where its shape makes something that cannot carry images", async () => {
    const { client } = stubClient(() => json(detail), {
      shapes: { protocol: shape(({ protocolId }) => String(protocolId)) },
    });
    await expect(client.protocols.get("S", "P")).rejects.toMatchObject({ name: "ConfigurationError" });
  });
});

describe('validate: "full"', () => {
  it("names what does not fit", async () => {
    const wrong = {
      ...store,
      storeId: "x",
      openingTimes: [{ weekday: 9, from: "", to: "" }],
      loginCode: undefined,
    };
    const { client } = stubClient(() => json(wrong), { validate: "full" });
    const error = await client.stores.get("S").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    const paths = (error as UnexpectedResponseError).issues.map(({ path }) => path);
    expect(paths.toSorted()).toEqual(["loginCode", "openingTimes.0.weekday", "storeId"]);
  });

  it("names what does not fit in a list", async () => {
    const { client } = stubClient(() => json({ items: [store, { ...store, name: 5 }], nextCursor: null }), {
      validate: "full",
    });
    await expect(client.stores.list()).rejects.toMatchObject({ issues: [{ path: "items.1.name" }] });
  });

  it("drops no property and takes values that the contract does not know yet", async () => {
    const future = {
      ...store,
      storeType: "Spaceport",
      colour: "red",
      openingTimes: [{ weekday: 0, from: "", to: "", note: 1 }],
    };
    const { client } = stubClient(() => json(future), { validate: "full" });
    expect(await client.stores.get("S-1")).toEqual(future);
  });

  it("validate: full is off by default: a response's properties are returned unchanged", async () => {
    const { client } = stubClient(() => json({ storeId: 5 }));
    expect(await client.stores.get("S")).toEqual({ storeId: 5 });
  });
});
