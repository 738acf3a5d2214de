import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Contact } from "../../../generated/store.ts";
import { readMockArguments } from "../../../src/cli/mock-arguments.ts";
import { referenceServer } from "../../../src/cli/reference-server.ts";

type Json = Record<string, unknown>;

const BASES = {
  store: "https://stores.test",
  fleet: "https://fleet.test/api/third-party/v1",
  sandbox: "https://sandbox.test/api/third-party/v1",
} as const;

/** A line of a log of `shelfleet proxy`. */
function line(
  service: keyof typeof BASES,
  path: string,
  body?: unknown,
  {
    method = "GET",
    status = 200,
    base = BASES[service],
  }: { method?: string; status?: number; base?: string } = {},
): string {
  return JSON.stringify({
    v: 1,
    at: "2026-03-01T00:00:00.000Z",
    api: service === "store" ? "store" : "fleet",
    service,
    method,
    url: base + path,
    path: path.split("?")[0],
    status,
    contentType: "application/json",
    ms: 1,
    body,
  });
}

const UUID = "11111111-1111-4111-8111-11111111111";

function storeRow(externalId: string | null, more: Json = {}): Json {
  return {
    storeId: `${UUID}${externalId?.slice(-1) ?? "0"}`,
    externalId,
    name: "A store",
    location: null,
    regionId: null,
    storeType: null,
    openingTimes: [],
    protocolScheduleId: `${UUID}a`,
    protocolCronEnabled: false,
    onboardingComplete: true,
    loginCode: "1",
    ...more,
  };
}

function contact(email: string | null, id: string): Json {
  const own = { contactId: `${UUID}${id}`, contactType: "store", name: "A name", phone: "1", email };
  return { ...own, hasWhatsapp: false, createdAt: "2026-01-01T00:00:00Z" };
}

const vehicle = (id: string, more: Json = {}): Json => ({
  id,
  plateNumber: id,
  brand: "A",
  model: "B",
  ...more,
});

const page = (items: unknown[], nextCursor: string | null = null): Json => ({ items, nextCursor });

const numbered = (data: unknown[], currentPage = 1, hasNextPage = false): Json => ({
  data,
  meta: { version: "v1", pagination: { currentPage, hasNextPage } },
});

const one = (data: unknown): Json => ({ data, meta: { version: "v1" } });

const NOT_FOUND = { errors: [{ code: "NOT_FOUND", message: "Vehicle not found" }] };

/** Starts `shelfleet mock --twin` with a log; returns what it prints, and the rows or the body of a response. */
function startTwin(...lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "shelfleet-twin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "log.ndjson");
  writeFileSync(file, lines.join("\n"));
  let printed = "";
  const print = vi.spyOn(console, "error").mockImplementation((text) => {
    printed += `${String(text)}\n`;
  });
  const command = readMockArguments(["--twin", file], {});
  if (command.name !== "mock") throw new Error("expected the command mock");
  try {
    const ref = referenceServer(command.settings);
    const read = async (path: string): Promise<unknown> => {
      const [base, secret] = path.startsWith("/v1/")
        ? [ref.storeUrl, ref.token]
        : [ref.fleetUrl, ref.keys[0]?.key ?? ""];
      const response = await ref.fetch(base + path, { headers: { authorization: `Bearer ${secret}` } });
      const json = (await response.json()) as Json; // a JSON object
      return response.status === 200 ? (json["data"] ?? json["items"] ?? json) : response.status;
    };
    return { printed, read, ref };
  } finally {
    print.mockRestore();
  }
}

const RANGE = "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z";
const PROTOCOLS = `/v1/stores/S-1/protocols?${RANGE}`;
const two = [vehicle("v-1"), vehicle("v-2")];

describe("the twin of a service that changed while it was recorded", () => {
  it.each([
    {
      name: "a row that the list no longer has",
      lines: [
        line("fleet", "/vehicles", numbered(two)),
        line("fleet", "/vehicles", numbered([vehicle("v-2")])),
      ],
      path: "/vehicles",
      expected: [vehicle("v-2")],
    },
    {
      name: "a row that the pages of a walk no longer have",
      lines: [
        line("fleet", "/vehicles", numbered(two)),
        line("fleet", "/vehicles?limit=1", numbered([vehicle("v-2")], 1, true)),
        line("fleet", "/vehicles?limit=1&page=2", numbered([vehicle("v-3")], 2)),
      ],
      path: "/vehicles",
      expected: [vehicle("v-2"), vehicle("v-3")],
    },
    {
      name: "a deleted row",
      lines: [
        line("fleet", "/vehicles", numbered(two)),
        line("fleet", "/vehicles/v-1", undefined, { method: "DELETE", status: 204 }),
      ],
      path: "/vehicles",
      expected: [vehicle("v-2")],
    },
    {
      name: "an entity that is no longer found",
      lines: [
        line("fleet", "/vehicles/v-1", one(vehicle("v-1"))),
        line("fleet", "/vehicles/v-1", NOT_FOUND, { status: 404 }),
      ],
      path: "/vehicles/v-1",
      expected: 404,
    },
    {
      name: "a store that is no longer found",
      lines: [
        line("store", "/v1/stores", page([storeRow("S-1"), storeRow("S-2")])),
        line("store", "/v1/stores/S-1", { error: { code: "not_found", message: "" } }, { status: 404 }),
      ],
      path: "/v1/stores",
      expected: [storeRow("S-2")],
    },
    {
      name: "a store that the list no longer has",
      lines: [
        line("store", "/v1/stores", page([storeRow("S-1"), storeRow("S-2")])),
        line("store", "/v1/stores", page([storeRow("S-2")])),
      ],
      path: "/v1/stores",
      expected: [storeRow("S-2")],
    },
    {
      name: "protocols of the same range",
      lines: [
        line("store", "/v1/stores/S-1", storeRow("S-1")),
        line("store", PROTOCOLS, page([{ protocolId: "p-1" }, { protocolId: "p-2", status: "processing" }])),
        line("store", PROTOCOLS, page([{ protocolId: "p-2", status: "failed" }])),
      ],
      path: PROTOCOLS,
      expected: [{ protocolId: "p-2", status: "failed" }],
    },
  ])("has the later response: $name", async ({ lines, path, expected }) => {
    expect(await startTwin(...lines).read(path)).toEqual(expected);
  });

  it.each([undefined, { message: "no Route matched" }])(
    "keeps the rows of a service whose gateway responds with 404 and the body %j",
    async (body) => {
      const { read } = startTwin(
        line("store", "/v1/stores", page([storeRow("S-1")])),
        line("store", "/v1/stores/S-1", body, { status: 404 }),
        line("fleet", "/vehicles", numbered(two)),
        line("fleet", "/vehicles/v-1", body, { status: 404 }),
      );
      expect(await read("/v1/stores")).toEqual([storeRow("S-1")]);
      expect(await read("/vehicles")).toEqual(two);
    },
  );

  it.each([
    ["another page of an unfinished walk", "?limit=1&page=2", numbered([vehicle("v-3")], 2)],
    ["the first page of an unfinished walk", "?limit=1", numbered([vehicle("v-1")], 1, true)],
    ["a filtered list", "?search=v-1", numbered([vehicle("v-1")])],
  ])("keeps the rows that are absent from %s", async (_name, query, body) => {
    const { read } = startTwin(
      line("fleet", "/vehicles", numbered(two)),
      line("fleet", `/vehicles${query}`, body),
    );
    expect(await read("/vehicles")).toEqual(expect.arrayContaining(two));
  });

  it.each([
    ["GET", one(vehicle("v-1", { brand: "Later" }))],
    ["PUT", one(vehicle("v-1", { brand: "Later" }))],
  ])("has the value of the later response to a %s of one row", async (method, body) => {
    const { read } = startTwin(
      line("fleet", "/vehicles", numbered([vehicle("v-1")])),
      line("fleet", "/vehicles/v-1", one(vehicle("v-1"))),
      line("fleet", "/vehicles/v-1", body, { method }),
    );
    const expected = vehicle("v-1", { brand: "Later" });
    expect([await read("/vehicles"), await read("/vehicles/v-1")]).toEqual([[expected], expected]);
  });

  it("keeps the rows of production apart from those of the sandbox", async () => {
    const { read } = startTwin(
      line("fleet", "/vehicles", numbered([vehicle("v-1")])),
      line("sandbox", "/vehicles", numbered([vehicle("v-2")])),
    );
    expect(await read("/vehicles")).toEqual([vehicle("v-1")]);
  });

  it("has the rows of the sandbox if no others were recorded", async () => {
    const { read } = startTwin(line("sandbox", "/vehicles", numbered([vehicle("v-2")])));
    expect(await read("/vehicles")).toEqual([vehicle("v-2")]);
  });

  it("is refused if two services with one API were recorded", () => {
    const other = { base: "https://staging.test" };
    const lines = [line("store", "/v1/stores", page([])), line("store", "/v1/stores", page([]), other)];
    expect(() => startTwin(...lines)).toThrow(
      "requests to several store services: https://stores.test, https://staging.test",
    );
  });

  it("says how many lines it could not use", () => {
    const { printed } = startTwin(
      line("store", "/v1/stores", page([])),
      line("store", "/v1/stores", page([])).slice(0, -9),
    );
    expect(printed).toContain(": not used, because cut or without a body: 1 of 2 lines\n");
  });

  it("has rows that violate the contract only in recorded responses, and says so", async () => {
    const { printed, read, ref } = startTwin(
      line("store", "/v1/stores", page([storeRow("S-1"), storeRow("S-2", { name: 5 })])),
      line("store", "/v1/stores/S-1/contacts", {
        externalId: "S-1",
        items: [contact("no address", "1"), contact(null, "2")],
      }),
    );
    const path = "/v1/stores/S-1/contacts";
    expect(await read(path)).toEqual([contact("no address", "1"), contact(null, "2")]);
    const other = { ...ref.state.store.contacts.get("S-1")?.[0], name: "Another name" } as Contact; // the row that is kept
    ref.state.store.contacts.set("S-1", [other]);
    expect(await read(path)).toEqual([{ ...contact(null, "2"), name: "Another name" }]);
    expect(printed).toContain(': only in recorded responses: store "S-2": name invalid\n');
    expect(printed).toContain(
      ": only in recorded responses: store.stores[0].contacts[0].email must be an e-mail address\n",
    );
  });

  it("starts with a log in which many rows of a kind violate the contract", async () => {
    const path = "/v1/stores/S-1/contacts";
    const items = Array.from({ length: 300 }, (_, at) =>
      contact("no address", String(at).padStart(4, "0").slice(-1)),
    );
    const { printed, read } = startTwin(
      line("store", "/v1/stores", page([storeRow("S-1"), storeRow("S-2")])),
      line("store", path, { externalId: "S-1", items }),
    );
    expect(await read(path)).toEqual(items);
    expect(printed).toContain(
      ": only in recorded responses: all contacts, more than 20 of which are invalid\n",
    );
    expect(printed.split("\n").length).toBeLessThan(30);
  });

  it("says that it omits the vehicles of a field whose responses no inspection has", () => {
    const entry = { ...vehicle("v-1"), vehicleId: "v-1", latestResponse: { id: "r-1" } };
    const lines = [line("fleet", "/vehicle-fields/f-1/vehicles", numbered([entry]))];
    const omitted =
      ": only in recorded responses: 1 responses of vehicles of a field, which no recorded inspection contains\n";
    expect(startTwin(...lines).printed).toContain(omitted);
    const inspection = { id: "9af0857e-7b87-457e-ac98-40c657522adb", responses: [{ id: "r-1" }] };
    lines.push(line("fleet", `/inspections/${inspection.id}`, { data: inspection, meta: { version: "v1" } }));
    expect(startTwin(...lines).printed).not.toContain(omitted);
  });

  it("says that the page after a recorded one is unknown", () => {
    const first = line("fleet", "/vehicles?limit=1", numbered([vehicle("v-1")], 1, true));
    const note = ": incomplete: 1 pages of listVehicles, whose next page was not recorded\n";
    expect(startTwin(first).printed).toContain(note);
    const second = line("fleet", "/vehicles?limit=1&page=2", numbered([vehicle("v-2")], 2));
    expect(startTwin(first, second).printed).not.toContain("incomplete");
  });

  it("says that it invents the stores, or those without external ID", () => {
    expect(startTwin(line("fleet", "/vehicles", numbered([]))).printed).toContain(
      "does not show them: stores, ",
    );
    expect(startTwin(line("store", "/v1/stores", page([storeRow(null)]))).printed).toContain(
      ", 1 stores without external ID\n",
    );
  });

  it("has protocols whose recorded ranges are the earliest and the latest", async () => {
    const path = "/v1/stores/S-1/protocols?from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z";
    const { read } = startTwin(
      line("store", "/v1/stores/S-1", storeRow("S-1")),
      line("store", path, page([{ protocolId: "p-1" }])),
      line("store", PROTOCOLS, page([{ protocolId: "p-2" }])),
    );
    expect([await read(path), await read(PROTOCOLS)]).toEqual([
      [{ protocolId: "p-1" }],
      [{ protocolId: "p-2" }],
    ]);
  });
});

describe("the twin of a log", () => {
  it("rejects a cursor of the service when only the rows can respond to it", async () => {
    const stores = ["S-1", "S-2", "S-3"].map((id) => storeRow(id));
    const { read, ref } = startTwin(
      line("store", "/v1/stores?limit=2", page(stores.slice(0, 2), "opaque")),
      line("store", "/v1/stores?limit=2&cursor=opaque", page(stores.slice(2))),
    );
    expect(await read("/v1/stores?limit=2&cursor=opaque")).toHaveLength(1);
    ref
      .on("getStore")
      .write({ method: "PUT", path: "/v1/stores/S-3", body: { name: "New" } })
      .times(1);
    await read("/v1/stores/S-3");
    expect(await read("/v1/stores?limit=2&cursor=opaque")).toBe(400);
  });

  it("has no response from before a write whose response is missing", async () => {
    const put = JSON.parse(line("store", "/v1/stores/S-1", undefined, { method: "PUT" })) as Json;
    const { read } = startTwin(
      line("store", "/v1/stores", page([storeRow("S-1", { name: "Old" })])),
      JSON.stringify({ ...put, omitted: "it is not JSON" }),
      line("store", "/v1/stores/S-1", storeRow("S-1", { name: "New" })),
    );
    expect(await read("/v1/stores")).toMatchObject([{ name: "New" }]);
  });

  it("starts soon when thousands of rows were not found", () => {
    const gone = { error: { code: "not_found", message: "The store does not exist" } };
    const lines = Array.from({ length: 3_000 }, (_, index) => [
      line("store", `/v1/stores/S-${index}`, storeRow(`S-${index}`)),
      line("store", `/v1/stores/X-${index}`, gone, { status: 404 }),
    ]);
    const start = performance.now();
    expect(startTwin(...lines.flat()).ref.state.store.stores.size).toBe(3_000);
    expect(performance.now() - start).toBeLessThan(20_000); // 2 s; more than a minute if each is compared with each
  });
});
