import { describe, expect, it } from "vitest";
import { fleetQueryLimits } from "../../../generated/fleet.limits.ts";
import { type FleetClient, InvalidRequestError } from "../../../src/client/fleet/index.ts";
import { json } from "../core/stub-fetch.ts";
import { rejection, stubClient, uuid } from "./stub-client.ts";

type Make = (client: FleetClient) => PromiseLike<unknown>;

async function expectRefused(make: Make): Promise<InvalidRequestError> {
  const { client, sent } = stubClient();
  const error = await rejection(make(client));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(sent).toEqual([]);
  return error as InvalidRequestError;
}

it.each([uuid.toUpperCase(), "123e4567-e89b-12d3-a456-426614174000"])(
  "an inspection's ID may be %s",
  async (id) => {
    const { client, sent } = stubClient();
    await client.inspections.get(id);
    expect(sent).toHaveLength(1);
  },
);

const wrongQueries: [path: string, make: Make][] = [
  ["limit", (c) => c.damages.list({ limit: fleetQueryLimits.listDamages.limit.maximum + 1 })],
  ["search", (c) => c.vehicleFields.list({ search: 5 as never })],
  ["status", (c) => c.vehicleFields.listVehicles("f", { status: "ok" as never })],
  ["search", (c) => c.vehicleFields.listVehicles("f", { search: [] as never })],
  ["isActive", (c) => c.inspectionTemplates.list({ isActive: "true" as never })],
  ["title", (c) => c.inspectionTemplates.list({ title: 5 as never })],
  ["vehicleGroup", (c) => c.inspectionTemplates.list({ vehicleGroup: 5 as never })],
  ["plate", (c) => c.vehicles.list({ plate: "WX" } as never)],
  ["extra.plate", (c) => c.vehicles.list({ extra: { plate: 5 as never } })],
  ["extra.limit", (c) => c.vehicles.list({ extra: { limit: "7" } })],
  ["extra.search", (c) => c.inspectionTemplates.list({ extra: { search: "x" } })],
];

describe("a query", () => {
  it.each(wrongQueries)("with a wrong %s is rejected before sending", async (path, make) => {
    expect((await expectRefused(make)).issues).toMatchObject([{ path }]);
  });

  it("may be left out, null or empty", async () => {
    const { client, sent } = stubClient();
    for (const query of [undefined, null as never, {}])
      await rejection(client.inspectionTemplates.list(query));
    expect(sent.map(({ query }) => query)).toEqual([{}, {}, {}]);
  });
});

describe("a body", () => {
  const bodies: [what: string, body: unknown][] = [
    ["a list", []],
    ["an object with NaN", { latitude: Number.NaN }],
    ["an object with an integer beyond 2^53", { vehicleId: 2 ** 53 }],
    ["an object with an invalid date", { reportedAt: new Date("yesterday") }],
    ["an object with a promise", { photoUrl: Promise.resolve("https://x.example") }],
    ["an object with a Set", { vehicleIds: new Set(["v-1"]) }],
    ["an object with bytes", { photo: new Uint8Array([1, 2]) }],
    ["an object with an error that has a code", { cause: Object.assign(new Error("x"), { code: 5 }) }],
    ["an object whose toJSON returns nothing", { notes: { toJSON: () => undefined } }],
    ["an object whose toJSON returns NaN", { notes: { toJSON: () => ({ rate: Number.NaN }) } }],
    [
      "an instance whose class has a getter",
      new (class {
        readonly brand = "b";
        get plateNumber(): string {
          return "p";
        }
      })(),
    ],
    [
      "an object with an instance of private fields",
      {
        driver: new (class {
          readonly #name = "n";
          greet(): string {
            return this.#name;
          }
        })(),
      },
    ],
    ["an object that inherits a property", Object.create({ plateNumber: "p" })],
  ];

  it.each(bodies)("that is %s is rejected before sending", async (_, body) => {
    for (const make of [
      (c: FleetClient) => c.vehicles.create(body as never),
      (c: FleetClient) => c.vehicleGroups.update("g", body as never),
      (c: FleetClient) => c.inspections.submit(body as never),
      (c: FleetClient) => c.inspectionTemplates.create(body as never),
      (c: FleetClient) => c.damages.create(body as never),
      (c: FleetClient) => c.driverAssignments.update("a", body as never),
    ]) {
      expect(await expectRefused(make)).toMatchObject({ name: "InvalidRequestError" });
    }
  });

  it("may hold whatever has a JSON form", async () => {
    const { client, sent } = stubClient(() => json({ data: {}, meta: { version: "v1" } }));
    const date = new Date(0);
    const notes = Object.assign(Object.create(null) as object, { a: undefined, list: [null, -0, {}] });
    class Driver {
      name = "n";
      toText(): string {
        return this.name;
      }
    }
    await client.vehicles.create({
      date,
      url: new URL("https://x.example/"),
      notes,
      driver: new Driver(),
      amount: { toJSON: () => "5.00" },
    });
    expect(sent[0]?.body).toEqual({
      date: date.toISOString(),
      url: "https://x.example/",
      notes: { list: [null, 0, {}] },
      driver: { name: "n" },
      amount: "5.00",
    });
  });
});
