import { expect, it } from "vitest";
import { StoreClient } from "../../src/index.ts";

it("an answer with more issues than fit on the stack is refused as any other", async () => {
  const items = Array.from({ length: 200_000 }, () => ({}));
  const fetch = async (): Promise<Response> => new Response(JSON.stringify({ items, nextCursor: null }));
  const options = { baseUrl: "https://x.example", token: "some-token", fetch, validate: "full" } as const;
  await expect(new StoreClient(options).stores.list()).rejects.toMatchObject({
    name: "UnexpectedResponseError",
    issues: [{ path: "", message: "has more wrong with it than can be listed" }],
  });
});

it("a body with as many is not sent", async () => {
  const expositions = Array.from({ length: 200_000 }, () => ({}) as never);
  const fetch = (): Promise<Response> => Promise.reject(new Error("sent"));
  const client = new StoreClient({ baseUrl: "https://x.example", token: "some-token", fetch });
  await expect(client.expositions.upsert("S", expositions)).rejects.toHaveProperty(
    "name",
    "InvalidRequestError",
  );
});
