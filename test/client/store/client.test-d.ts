import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import {
  type Call,
  type CursorList,
  type JsonObject,
  type ProtocolImage,
  type Shape,
  StoreApiError,
  StoreClient,
  type StoreClientOptions,
  type StoreErrorCode,
} from "../../../src/client/store/index.ts";
import { raw } from "../../../src/client/raw/index.ts";

import { FleetClient } from "../../../src/client/fleet/index.ts";

const base = { baseUrl: "https://store.example", token: "t" };

describe("options", () => {
  it("are an address and a token at least", () => {
    const made = (): StoreClient[] => [
      new StoreClient(base),
      new StoreClient({ ...base, token: () => "t" }),
      new StoreClient({ ...base, token: async () => "t" }),
    ];
    expectTypeOf(made).toBeFunction();
    // @ts-expect-error a token is required
    void ((): StoreClient => new StoreClient({ baseUrl: "x" }));
    // @ts-expect-error an address is required
    void ((): StoreClient => new StoreClient({ token: "x" }));
    // @ts-expect-error options are required
    void ((): StoreClient => new StoreClient());
    // @ts-expect-error a key is the fleet client's
    void ((): StoreClient => new StoreClient({ ...base, key: "x" }));
    // @ts-expect-error a token is a text
    void ((): StoreClient => new StoreClient({ ...base, token: 5 }));
  });

  it("take the gaps, readings and strategies that there are", () => {
    const options: StoreClientOptions = {
      ...base,
      readings: { "photos.page-shape": "data-cursor" },
      strategies: { "protocols.next-page": "window" },
      retry: { limit: 1 },
      validate: "full",
      identify: (protocol) => String(protocol.key),
      fetch: globalThis.fetch,
      hooks: { onRequest: ({ operation, attempt }) => void [operation, attempt] },
    };
    expectTypeOf(options.readings).toEqualTypeOf<StoreClientOptions["readings"]>();
    // @ts-expect-error no such reading
    void ((): StoreClient => new StoreClient({ ...base, readings: { "photos.page-shape": "list" } }));
    void ((): StoreClient => new StoreClient({ ...base, readings: { "protocols.order": "oldest-first" } }));
    // @ts-expect-error no such gap
    void ((): StoreClient => new StoreClient({ ...base, readings: { "protocols.orders": "oldest-first" } }));
    // @ts-expect-error no such strategy
    void ((): StoreClient => new StoreClient({ ...base, strategies: { "protocols.next-page": "guess" } }));
    // @ts-expect-error no such way
    void ((): StoreClient => new StoreClient({ ...base, validate: "fully" }));
    // @ts-expect-error no such shape
    void ((): StoreClient => new StoreClient({ ...base, shapes: { store: z.object({}) } }));
    // @ts-expect-error no schema
    void ((): StoreClient => new StoreClient({ ...base, shapes: { photo: {} } }));
  });
});

describe("shapes", () => {
  it("may be those of both clients, as in the file of a probe", () => {
    interface Row {
      id: string;
      url?: string | undefined;
      [name: string]: unknown;
    }
    const row: z.ZodType<Row> = z.looseObject({ id: z.string(), url: z.optional(z.string()) });
    const shapes = { photo: row, damageSummary: row };
    expectTypeOf(() => new StoreClient({ ...base, shapes })).toBeFunction();
    expectTypeOf(() => new FleetClient({ baseUrl: "x", key: "k", shapes })).toBeFunction();
  });

  const protocol = z.object({ protocolId: z.string(), at: z.string().transform((text) => new Date(text)) });
  interface Read {
    protocolId: string;
    at: Date;
  }

  it("type what they read, transforms included", () => {
    const make = () =>
      new StoreClient({ ...base, shapes: { protocol, photo: mini.object({ url: mini.string() }) } });
    type Client = ReturnType<typeof make>;
    expectTypeOf<ReturnType<Client["protocols"]["list"]>>().toEqualTypeOf<CursorList<Read>>();
    expectTypeOf<ReturnType<Client["photos"]["list"]>>().toEqualTypeOf<CursorList<{ url: string }>>();
    expectTypeOf<ReturnType<Client["protocols"]["get"]>>().toEqualTypeOf<
      Call<Read & { images: ProtocolImage[] }>
    >();
    expectTypeOf<Awaited<ReturnType<Client["fillRates"]["across"]>>>().toExtend<JsonObject>();
  });

  it("type images and fill rates", () => {
    const image = z.object({ imageId: z.string() });
    const rates = z.object({ groups: z.array(z.number()) });
    const make = () =>
      new StoreClient({
        ...base,
        shapes: { protocolImage: image, storeFillRates: rates, expositionFillRate: rates, fillRates: rates },
      });
    type Client = ReturnType<typeof make>;
    type Rates = Call<{ groups: number[] }>;
    type Detail = Awaited<ReturnType<Client["protocols"]["get"]>>;
    expectTypeOf<Detail["images"]>().toEqualTypeOf<{ imageId: string }[]>();
    expectTypeOf<ReturnType<Client["fillRates"]["forStore"]>>().toEqualTypeOf<Rates>();
    expectTypeOf<ReturnType<Client["fillRates"]["forExposition"]>>().toEqualTypeOf<Rates>();
    expectTypeOf<ReturnType<Client["fillRates"]["across"]>>().toEqualTypeOf<Rates>();
  });

  it("may be of any library that follows Standard Schema", () => {
    const customShape = (): Shape<number> => ({
      "~standard": { version: 1, validate: () => ({ value: 5 }) },
    });
    const make = () => new StoreClient({ ...base, shapes: { protocol: customShape() } });
    expectTypeOf<ReturnType<ReturnType<typeof make>["protocols"]["list"]>>().toEqualTypeOf<
      CursorList<number>
    >();
  });
});

it("an error's code is open, and known where it is known", () => {
  expectTypeOf<StoreApiError["code"]>().toEqualTypeOf<StoreErrorCode | (string & {}) | undefined>();
  const error: unknown = undefined;
  if (error instanceof StoreApiError) expectTypeOf(error.issues[0]?.path).toEqualTypeOf<string | undefined>();
});

it("the raw client knows the routes", () => {
  const read = (client: StoreClient) =>
    raw(client).GET("/v1/stores/{externalId}", { params: { path: { externalId: "S" } } });
  expectTypeOf(read).returns.resolves.toHaveProperty("error");
  // @ts-expect-error no such route
  void ((client: StoreClient) => raw(client).GET("/v1/shops"));
  // @ts-expect-error an id is due
  void ((client: StoreClient) => raw(client).GET("/v1/stores/{externalId}", {}));
});
