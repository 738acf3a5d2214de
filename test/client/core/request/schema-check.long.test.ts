import { expect, it } from "vitest";
import { FleetClient, InvalidRequestError, StoreClient } from "../../../../src/index.ts";

it("a response with more issues than fit on the stack is rejected like any other", async () => {
  const items = Array.from({ length: 200_000 }, () => ({}));
  const fetch = async (): Promise<Response> => new Response(JSON.stringify({ items, nextCursor: null }));
  const options = { baseUrl: "https://x.example", token: "some-token", fetch, validate: "full" } as const;
  await expect(new StoreClient(options).stores.list()).rejects.toMatchObject({
    name: "UnexpectedResponseError",
    issues: [{ path: "", message: "has more issues than can be listed" }],
  });
});

it("a body with more issues than fit on the stack is not sent", async () => {
  const expositions = Array.from({ length: 200_000 }, () => ({}) as never);
  const fetch = (): Promise<Response> => Promise.reject(new Error("sent"));
  const client = new StoreClient({ baseUrl: "https://x.example", token: "some-token", fetch });
  await expect(client.expositions.upsert("S", expositions)).rejects.toHaveProperty(
    "name",
    "InvalidRequestError",
  );
});

it("a shape with more issues than fit on the stack rejects a body with a readable message", async () => {
  const many = Array.from({ length: 200_000 }, (_, at) => ({ message: "is wrong", path: [at] }));
  const vehicleInput = { "~standard": { version: 1 as const, validate: () => ({ issues: many }) } };
  const fetch = (): Promise<Response> => Promise.reject(new Error("sent"));
  const key = `acme_${"0".repeat(64)}`;
  const client = new FleetClient({
    baseUrl: "https://x.example/api/third-party/v1",
    key,
    fetch,
    shapes: { vehicleInput },
  });
  const error: unknown = await client.vehicles.create({}).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect((error as InvalidRequestError).issues).toHaveLength(200_000);
  expect((error as Error).message).toMatch(
    /^POST \/vehicles: not sent: 0: is wrong; .*; 19: is wrong \(and 199980 more\)$/,
  );
});
