import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeBodyLimits, storeQueryLimits } from "../../generated/store.limits.ts";
import type * as Fleet from "../../src/client/fleet/index.ts";
import type * as Mock from "../../src/mock/index.ts";
import type * as Store from "../../src/client/store/index.ts";
import { projectWithChanges } from "./changed-copy.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const key = `ref_${"0a".repeat(32)}`;
let changed = "";

beforeAll(async () => {
  changed = await projectWithChanges();
});

afterAll(() => {
  rmSync(changed, { recursive: true });
});

/** The modules of a project. */
async function load(folder: string) {
  const [store, fleet, mock] = (await Promise.all(
    ["client/store/index.ts", "client/fleet/index.ts", "mock/index.ts"].map(
      (path) => import(pathToFileURL(join(folder, "src", path)).href),
    ),
  )) as [typeof Store, typeof Fleet, typeof Mock]; // the copy has the same exports
  return { store, fleet, mock };
}

/** The clients and a reference server of a project. */
async function open(folder: string, scope: Fleet.Scope = "vehicles:write") {
  const { store, fleet, mock } = await load(folder);
  const ref = mock.createReferenceServer({ fleet: { keys: [{ key, scopes: [scope] }] } });
  const get = (path: string) =>
    ref.fetch(ref.storeUrl + path, { headers: { authorization: `Bearer ${ref.token}` } });
  return {
    ref,
    get,
    store: new store.StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch }),
    fleet: new fleet.FleetClient({ baseUrl: ref.fleetUrl, key, fetch: ref.fetch }),
  };
}

/** The errors of the compiler for a file that uses a project. */
async function compilerErrors(folder: string, code: string): Promise<string> {
  const home = join(changed, `consumer-${folder === changed ? "changed" : "own"}`);
  writeFileSync(
    `${home}.ts`,
    `import { FleetClient } from "${join(folder, "src/client/fleet/index.ts")}";\n${code}`,
  );
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { rewriteRelativeImportExtensions: false },
    files: [`${home}.ts`],
  };
  writeFileSync(`${home}.json`, JSON.stringify({ ...config, include: [] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [tsc, "-p", `${home}.json`]);
  return run.then(
    () => "",
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

/** A scope that the changed documents add. */
const added = "damages:inspect" as Fleet.Scope;

describe.each([
  ["the project", false],
  ["a copy of the project with a changed contract", true],
])("in %s", (_name, isChanged) => {
  const folder = () => (isChanged ? changed : root);
  const limit = isChanged ? 250 : storeQueryLimits.listStores.limit.maximum;

  it("the client checks the bound of a query before it sends", async () => {
    const { store, ref } = await open(folder());
    await store.stores.list({ limit });
    ref.journal.clear();
    await expect(store.stores.list({ limit: limit + 1 })).rejects.toThrow(`must be at most ${limit}`);
    expect(ref.journal.all()).toEqual([]);
  });

  it.each([100, 150, 249, 300])(
    "a walk has each of %i stores, whose hundredth has no external ID",
    async (count) => {
      const { mock, store } = await load(folder());
      const stores = Array.from({ length: count }, (_, index) => ({
        externalId: index === 99 ? null : `S-${String(index).padStart(3, "0")}`,
      }));
      const readings = { "stores.null-cursor": "null-early" } as const;
      const ref = mock.createReferenceServer({ readings, store: { stores } });
      const client = new store.StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
      expect(await client.stores.list().toArray()).toHaveLength(count);
    },
  );

  it("the reference server checks the same bound", async () => {
    const { get } = await open(folder());
    expect((await get(`/v1/stores?limit=${limit}`)).status).toBe(200);
    expect((await get(`/v1/stores?limit=${limit + 1}`)).status).toBe(400);
  });

  it("the client and the reference server check the bound of a body", async () => {
    const { store, ref } = await open(folder());
    const maximum = isChanged ? 2 : storeBodyLimits.ExpositionUpsert.expositions.maxItems;
    const some = (length: number) =>
      Array.from({ length }, () => ({
        label: "A",
        productCategories: [],
        expositionType: "FRIDGE_DRINKS" as const,
      }));
    await store.expositions.upsert("S-1", some(maximum));
    await expect(store.expositions.upsert("S-1", some(maximum + 1))).rejects.toThrow("not sent");
    const response = await ref.fetch(`${ref.storeUrl}/v1/stores/S-1/expositions`, {
      method: "PUT",
      headers: { authorization: `Bearer ${ref.token}`, "content-type": "application/json" },
      body: JSON.stringify({ expositions: some(maximum + 1) }),
    });
    expect(response.status).toBe(400);
  });

  it("the client and the reference server know the values of an enum", async () => {
    const { store, get } = await open(folder());
    const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:00Z" };
    const query = { ...range, status: "archived" as Store.ProtocolStatus };
    const sent = await Promise.resolve(store.protocols.list("S-1", query)).then(
      () => true,
      () => false,
    );
    expect(sent).toBe(isChanged);
    const { status } = await get(`/v1/stores/S-1/protocols?${new URLSearchParams(query)}`);
    expect(status).toBe(isChanged ? 200 : 400);
  });

  it("the client and the reference server know the path of the base URL", async () => {
    const { fleet, ref } = await open(folder(), "vehicles:read");
    const path = `/api/third-party/${isChanged ? "v2" : "v1"}`;
    expect(new URL(ref.fleetUrl).pathname).toBe(path);
    await expect(fleet.vehicles.list()).resolves.toHaveProperty("items");
  });

  it("the client checks the scopes of an operation", async () => {
    const { fleet } = await open(folder());
    expect(fleet.scopes.check([added]).allowed).toEqual(isChanged ? ["createVehicle"] : []);
  });

  it("the compiler rejects a method without its scopes", async () => {
    const code = `const options = { baseUrl: "https://fleet.example", key: "k" };
void new FleetClient({ ...options, scopes: ["damages:inspect"] }).vehicles.create({});\n`;
    const errors = await compilerErrors(folder(), code);
    expect(errors).toMatch(isChanged ? /^$/ : /damages:inspect|createVehicle needs/);
  });
});

it("the reference server requires the scopes of the changed contract", async () => {
  const { fleet } = await open(changed, added);
  await expect(fleet.vehicles.create({})).resolves.toHaveProperty("id");
  await expect(fleet.vehicles.delete("vehicle-1")).rejects.toHaveProperty("status", 403);
});
