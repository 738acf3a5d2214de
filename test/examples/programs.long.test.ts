import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs an example on the sources; `npm run test:package` runs those of the tarball. */
function run(program: string, ...args: string[]) {
  return runIn({ cwd: folder }, program, ...args);
}

function runIn(options: { cwd: string; env?: NodeJS.ProcessEnv }, program: string, ...args: string[]) {
  const command = ["--import", join(root, "build/from-source.ts"), join(root, "examples", program), ...args];
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, command, options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** Starts a service, and returns what runs the example against it, each time with the same database. */
async function startService() {
  const ref = createReferenceServer({ now: "system", store: { stores: 3 } });
  const served = await serve(ref, { port: 0 });
  const cwd = mkdtempSync(join(folder, "service-"));
  onTestFinished(() => served.close());
  const env = {
    SHELFLEET_STORE_URL: served.storeUrl,
    SHELFLEET_TOKEN: ref.token,
    SHELFLEET_FLEET_URL: served.fleetUrl,
    SHELFLEET_KEY: ref.key,
  };
  return { ref, run: (program: string) => runIn({ cwd, env }, program) };
}

describe("the table of examples/README.md", () => {
  it("has exactly the programs that are there", () => {
    const table = readFileSync(join(root, "examples/README.md"), "utf8");
    const named = [...table.matchAll(/^\| \[`([^`]+\.ts)`\]/gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(globSync("*.ts", { cwd: join(root, "examples") })));
  });
});

describe("the demo", () => {
  it("shows what both programs have in the end, as the picture in docs/ does", async () => {
    const { code, stdout } = await run("demo/main.ts", folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^The naive loop ended without an error/);
    const table = stdout.split("\n\n")[1] ?? "";
    const rows = table
      .split("\n")
      .slice(1, 5)
      .map((line) => line.split(/ {3,}/));
    // the service has what shelfleet has, and the naive loop has something else
    for (const [, service, naive, shelfleet] of rows)
      expect([shelfleet, naive === service]).toEqual([service, false]);
    for (const theme of ["light", "dark"]) {
      const picture = readFileSync(join(folder, `demo-${theme}.svg`), "utf8");
      expect(picture).toBe(readFileSync(join(root, `docs/demo-${theme}.svg`), "utf8"));
    }
  });
});

describe("the example", () => {
  it("nightly-sync.ts copies vehicles and protocols from the reference server", async () => {
    const { code, stdout } = await run("nightly-sync.ts");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^vehicles \{ read: 100, added: 100, .*\nprotocols \{\s+stores: 20,\s+items: \d{2}/s,
    );
  });

  it("nightly-sync.ts does the other jobs, and its exit code says that the next run can do the rest", async () => {
    const service = await startService();
    const path = { externalId: "S-2" };
    service.ref.on("listVehicles").always({ status: 503 });
    service.ref.on("listProtocols", { path }).always({ status: 500 });
    const { code, stdout, stderr } = await service.run("nightly-sync.ts");
    expect([code, stdout]).toEqual([75, ""]);
    expect(stderr).toMatch(/^GET \/vehicles: 503/m);
    expect(stderr).toMatch(/^S-2, protocols: .* 500/m);
    service.ref.overrides.clear();
    const next = await service.run("nightly-sync.ts");
    expect(next.code).toBe(0);
    expect(next.stdout).toMatch(
      /^vehicles \{ read: 100, added: 100, .*\nprotocols \{\s+stores: 3,\s+items: /s,
    );
  });

  it("nightly-sync.ts says by its exit code that somebody has to act", async () => {
    const service = await startService();
    service.ref.on("listVehicles").always({ status: 503 });
    service.ref.on("listProtocols", { path: { externalId: "S-2" } }).always({ status: 422 });
    const { code, stderr } = await service.run("nightly-sync.ts");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^S-2, protocols: .* 422/m);
  });

  it("upsert-from-csv.ts writes what differs and names the lines that are wrong", async () => {
    const { code, stdout, stderr } = await run("upsert-from-csv.ts");
    expect(code).toBe(1);
    expect(stdout).toContain('K-003: name: "Galeria" → "Galeria Bałtycka"\n');
    expect(stdout).toMatch(/\n3 written, 0 unchanged\n$/);
    const lines = [...stderr.matchAll(/^line (\d+): .*?(externalId|regionId|storeType): /gm)];
    expect(lines.map(([, line, property]) => [line, property])).toEqual([
      ["3", "externalId"],
      ["5", "externalId"],
      ["6", "regionId"],
      ["8", "externalId"],
      ["9", "storeType"],
    ]);
  });

  it("upsert-from-csv.ts with --dry-run writes nothing and finds wrong lines", async () => {
    const { code, stdout, stderr } = await run("upsert-from-csv.ts", "--dry-run");
    expect(code).toBe(1);
    expect(stdout).toContain("K-001: new\n");
    expect(stdout).not.toContain("written");
    expect(stderr.match(/^line /gm)).toHaveLength(4);
  });

  it("upsert-from-csv.ts writes nothing if the file is malformed", async () => {
    const file = join(folder, "broken.csv");
    writeFileSync(file, "externalId;name\nK-1;Kiosk\nK-2;too;many\n");
    const { code, stdout, stderr } = await run("upsert-from-csv.ts", file);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("on line 3");
  });

  it("quickstart.ts makes the first calls to both APIs", async () => {
    const { code, stdout, stderr } = await run("quickstart.ts");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/name: 'Dworzec Centralny'.*plateNumber.*\n52 false\n$/s);
  });

  it("errors.ts finds a remedy for each error", async () => {
    const { code, stdout, stderr } = await run("errors.ts");
    expect([code, stderr]).toEqual([0, ""]);
    const remedies = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(": ")[1]);
    expect(remedies).toEqual([
      "create it first",
      "set another token",
      "correct the input; nothing was sent",
      ...Array.from({ length: 3 }, () => "make the same call again, later"),
      "request a key with the missing scopes",
      "read the entity before you send it again",
      "correct the options",
    ]);
  });

  it("ky.ts sends each request through the company's hooks, and the client retries", async () => {
    const { code, stdout, stderr } = await run("ky.ts");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe("S-1\n503 shelves\n200 shelves\n");
  });

  it("opentelemetry-spans.ts has a span for each call and each request", async () => {
    const { code, stdout } = await run("opentelemetry-spans.ts");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^- nightly check\n( {2}- listStores\n {4}- GET \/v1\/stores 200\n){2}/);
    expect(stdout).toContain(
      "  - getStore\n    - GET /v1/stores/{externalId} 500\n    - GET /v1/stores/{externalId} 200 sent again\n",
    );
  });
});
