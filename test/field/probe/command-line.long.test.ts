import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../../src/index.ts";
import { type ReferenceServer, createReferenceServer } from "../../../src/mock/index.ts";
import { type ServedReference, serve } from "../../../src/mock/node.ts";
import type { ProbeReport } from "../../../src/field/probe/index.ts";

const cli = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

const TRUTH = {
  "protocols.next-page": "ignored",
  "photos.page-shape": "data-cursor",
  "stores.cursor-start": "at",
  "templates.title-filter": "title",
  "fleet.page-past-end": "rejected",
  "lists.undocumented": "whole",
} as const;

let folder: string;
let ref: ReferenceServer;
let served: ServedReference;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "shelfleet-probe-"));
  ref = createReferenceServer({ store: { stores: 12 }, readings: TRUTH });
  served = await serve(ref);
});

afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Only what starts a program: the path, and the folder of its compiled modules, in which it starts twice as fast. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const environment: NodeJS.ProcessEnv = { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(args: string[], secrets: Record<string, string> = secretsOf()) {
  const child = spawn(process.execPath, [cli, "probe", ...args], {
    cwd: folder,
    env: { ...environment, ...secrets },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then((): Ended => ({ code: child.exitCode, stdout, stderr }));
  return { child, ended };
}

function run(...args: string[]): Promise<Ended> {
  return start(args).ended;
}

function secretsOf(): Record<string, string> {
  const [main, sandbox] = ref.keys.map(({ key }) => key);
  return { SHELFLEET_TOKEN: ref.token, SHELFLEET_KEY: main ?? "", SHELFLEET_SANDBOX_KEY: sandbox ?? "" };
}

function urls(rate = 500): string[] {
  return ["--store-url", served.storeUrl, "--fleet-url", served.fleetUrl, "--rate", `${rate}`];
}

function reportIn(name: string): ProbeReport {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as ProbeReport;
}

describe("shelfleet probe", () => {
  it("writes a readings file that clients and the reference server accept unchanged", async () => {
    const { code, stdout, stderr } = await run(
      ...urls(),
      "--out",
      "found.json",
      "--report",
      "report.md",
      "--types",
      "shapes.ts",
    );
    expect([code, stderr]).toEqual([
      0,
      "wrote the readings file found.json\nwrote the report report.md\nwrote the shapes shapes.ts\n",
    ]);
    expect(stdout).toMatch(/protocols\.next-page +likely +ignored/);
    const file = reportIn("found.json");
    expect(file.readings).toMatchObject(TRUTH);
    expect(file).not.toHaveProperty("evidence");
    expect(readFileSync(join(folder, "report.md"), "utf8")).toContain("# Readings of the service");
    expect(readFileSync(join(folder, "shapes.ts"), "utf8")).toContain(
      "export const protocol: z.ZodType<Protocol>",
    );

    const twin = createReferenceServer({ readings: file });
    expect(twin.readings).toMatchObject(TRUTH);
    const store = new StoreClient({
      baseUrl: twin.storeUrl,
      token: twin.token,
      fetch: twin.fetch,
      readings: file,
    });
    const photos = await store.photos
      .list("S-1", { from: "2020-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z" })
      .toArray();
    expect(photos.length).toBeGreaterThan(0);
    const [key] = twin.keys;
    const fleet = new FleetClient({
      baseUrl: twin.fleetUrl,
      key: key?.key ?? "",
      fetch: twin.fetch,
      readings: file,
    });
    expect((await fleet.vehicles.list().toArray()).length).toBeGreaterThan(0);
  });

  it("prints JSON without secrets", async () => {
    const { stdout, code } = await run(...urls(), "--json", "--max-requests", "20");
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as ProbeReport;
    expect(report).toMatchObject({ version: 1, partial: "requests", requests: { total: 20, writes: 0 } });
    expect(Object.values(secretsOf()).filter((secret) => stdout.includes(secret))).toEqual([]);
  });

  it("exits with 2 if the scratch store does not exist, and leaves no ledger", async () => {
    const { code, stderr } = await run(...urls(), "--write", "--scratch-store", "NO-SUCH-STORE");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^shelfleet: The scratch store "NO-SUCH-STORE" does not exist: expected .*\n$/);
    expect(existsSync(join(folder, "shelfleet.ledger.ndjson"))).toBe(false);
  });

  it("also runs what a gap depends on with --only, and reports only that gap", async () => {
    const only = ["--only", "fill-rates.bounds", "--out", "only.json"];
    expect(await run(...urls(), ...only)).toMatchObject({ code: 0 });
    const { findings, readings } = reportIn("only.json");
    expect(findings.map(({ gap }) => gap)).toEqual(["fill-rates.bounds"]);
    expect(readings).toEqual({ "fill-rates.bounds": ref.readings["fill-rates.bounds"] });
  });

  it("prints the plan and sends nothing with --dry-run", async () => {
    const before = ref.journal.all().length;
    const { stdout, code } = await run(...urls(), "--dry-run", "--no-odd");
    expect(code).toBe(0);
    expect(stdout).toMatch(/photos\.page-shape +read +1 request /);
    expect(stdout).not.toContain("read-odd");
    expect(ref.journal.all()).toHaveLength(before);
  });

  it("exits with 1 if a verdict changed since an earlier file, else with 0", async () => {
    const only = ["--only", "protocols.next-page,stores.cursor-start", "--diff", "found.json"];
    expect(await run(...urls(), ...only)).toMatchObject({ code: 0, stderr: "" });
    ref.switchReadings({ "stores.cursor-start": "after" });
    const { code, stderr } = await run(...urls(), ...only);
    ref.switchReadings(TRUTH);
    expect([code, stderr]).toEqual([1, "changed: stores.cursor-start from at to after\n"]);
  });

  it.each<[args: string[], message: RegExp]>([
    [["--color", "red"], /Unknown option '--color'/],
    [["secret-token"], /Unexpected argument/],
    [[], /No service: expected --store-url, --fleet-url or --sandbox-url\n/],
    [["--store-url", "ftp://x"], / --store-url must be an http or https URL/],
    [["--store-url", "http://a.test"], / --store-url must be .* or with --allow-insecure/],
    [["--store-url", "http://127.0.0.1:1", "--write"], / --write needs a --sandbox-url or a --scratch-store/],
    [["--store-url", "http://127.0.0.1:1", "--scratch-store", "write"], / --scratch-store needs --write\n/],
    [["--store-url", "http://127.0.0.1:1", "--only", "token"], /Unknown gap "token"/],
    [
      ["--store-url", "http://127.0.0.1:1", "--out", "missing/a.json"],
      /--out missing\/a.json: cannot be written/,
    ],
    [["--store-url", "http://127.0.0.1:1", "--report", "."], /--report .: is a folder/],
    [["--store-url", "http://127.0.0.1:1", "--rate", "fast"], /--rate must be a positive number, not "fast"/],
    [["--store-url", "http://127.0.0.1:1", "--only", "stores.color"], /Unknown gap "stores.color"/],
    [["--har", "missing.har"], /--har missing.har: no such file/],
    [
      ["--har", "other.har", "--out", "found.json"],
      /--har other.har: has no request of the store or fleet API/,
    ],
    [
      ["--log", "empty.log", "--out", "found.json"],
      /--log empty.log: has no request of the store or fleet API/,
    ],
    [["--store-url", "http://127.0.0.1:1", "--diff", "missing.json"], /--diff missing.json: no such file/],
    [["cleanup", "missing.ndjson"], /cleanup missing.ndjson: no such file/],
  ])("exits with 2, prints one line and writes nothing on wrong use: %j", async (args, message) => {
    writeFileSync(
      join(folder, "other.har"),
      '{"log": {"entries": [{"request": {"url": "https://a.test/v1/x"}}]}}',
    );
    writeFileSync(join(folder, "empty.log"), "");
    writeFileSync(join(folder, "found.json"), "before");
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, readFileSync(join(folder, "found.json"), "utf8")]).toEqual([2, "", "before"]);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("secret-token");
  });

  it("names the environment variable of a secret that is missing", async () => {
    const { code, stderr } = await start(["--fleet-url", served.fleetUrl], {}).ended;
    expect([code, stderr]).toEqual([2, "shelfleet: --fleet-url needs SHELFLEET_KEY\n"]);
  });

  it("exits with 3 and prints one line if the service rejects the credentials", async () => {
    const { code, stderr } = await start(urls(), { ...secretsOf(), SHELFLEET_TOKEN: "wrong-token" }).ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/^shelfleet: The store service at \S+ rejected the token\n$/);
  });

  it.each([[["SIGINT"]], [["SIGTERM"]], [["SIGHUP"]], [["SIGINT", "SIGINT"]]] as const)(
    "restores what it changed after %j, removes its ledger, and exits with 130",
    async (signals) => {
      const snapshot = ref.snapshot();
      const before = JSON.stringify(await storeOf("S-2"));
      const flags = ["--sandbox-url", served.sandboxUrl, "--write", "--scratch-store", "S-2"];
      const { child, ended } = start([...urls(40), ...flags]);
      await writesNoted();
      for (const signal of signals) {
        child.kill(signal);
        await setTimeout(5); // npx passes on a signal that the terminal has also sent
      }
      const { stdout, code } = await ended;
      expect(code).toBe(130);
      expect(stdout).toContain("This report is partial: the run was stopped.");
      expect(readdirSync(folder)).not.toContain("shelfleet.ledger.ndjson");
      expect(JSON.stringify(await storeOf("S-2"))).toBe(before);
      ref.restore(snapshot);
    },
  );

  it("does not replace the files of an earlier run if it is interrupted", async () => {
    const files = ["kept.json", "kept.md"];
    for (const file of files) writeFileSync(join(folder, file), "of an earlier run");
    ref.journal.clear();
    ref.on("listStores").delay(500).times(1);
    const { child, ended } = start([...urls(), "--out", "kept.json", "--report", "kept.md"]);
    while (ref.journal.all().length === 0) await setTimeout(20);
    child.kill("SIGINT");
    const { stderr, code } = await ended;
    ref.reset();
    expect(code).toBe(130);
    expect(files.map((file) => readFileSync(join(folder, file), "utf8"))).toEqual(
      files.map(() => "of an earlier run"),
    );
    expect(stderr).toContain("wrote the readings file kept.json.partial; kept.json is unchanged\n");
    expect(reportIn("kept.json.partial")).toMatchObject({ version: 1, partial: "stopped" });
  });

  it("does not blame a service if it is interrupted during its first request", async () => {
    ref.journal.clear();
    ref.on("listStores").delay(500).times(1);
    const { child, ended } = start(urls());
    while (ref.journal.all().length === 0) await setTimeout(20);
    child.kill("SIGINT");
    const { stdout, stderr, code } = await ended;
    ref.reset();
    expect([code, stderr]).toEqual([130, "stopping\n"]);
    expect(stdout).toContain("This report is partial: the run was stopped.");
  });

  it("refuses to write while the ledger of an interrupted run exists, and cleans up after that run", async () => {
    const before = JSON.stringify(await storeOf("S-3"));
    const flags = ["--write", "--scratch-store", "S-3"];
    // a system may store a part of a write only
    const code = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
      const { writeSync } = fs;
      fs.writeSync = (file, data) => writeSync(file, Buffer.from(data).subarray(0, 20));
      syncBuiltinESMExports();`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(code)}`;
    const { child, ended } = start([...urls(40), ...flags], { ...secretsOf(), NODE_OPTIONS });
    const ledger = await writesNoted();
    child.kill("SIGKILL");
    await ended;
    expect(await run(...urls(), ...flags)).toMatchObject({ code: 2, stderr: /left of an interrupted run/ });
    const cleaned = await run("cleanup", "shelfleet.ledger.ndjson", ...urls());
    expect([cleaned.code, cleaned.stdout]).toEqual([0, expect.stringContaining("restored: /v1/stores/S-3")]);
    expect(existsSync(ledger)).toBe(false);
    expect(JSON.stringify(await storeOf("S-3"))).toBe(before);
  });

  it("exits with 1, and names the data and the next command, if something was not restored", async () => {
    const snapshot = ref.snapshot();
    const { child, ended } = start([...urls(40), "--write", "--scratch-store", "S-4"]);
    const ledger = await writesNoted();
    for (const operation of ["putStore", "putContacts", "putExpectations", "putExpositions"] as const)
      ref.on(operation).always({ status: 500 });
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    ref.reset();
    ref.restore(snapshot);
    rmSync(ledger, { force: true });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Not restored: the \w+ of the store "S-4"$/m);
    expect(stderr).toContain("shelfleet probe cleanup shelfleet.ledger.ndjson tries again");
  });

  it("prints nothing about data if it had changed nothing", async () => {
    const { child, ended } = start([...urls(1), "--write", "--scratch-store", "S-5"]);
    while (!ref.journal.all().some(({ path }) => path === "/v1/stores/S-5")) await setTimeout(20);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([130, "stopping\n"]);
    expect(stdout).not.toMatch(/restored/i);
    expect(readdirSync(folder)).not.toContain("shelfleet.ledger.ndjson");
  });

  it("reads a HAR file instead of a service", async () => {
    const response = await fetch(`${served.storeUrl}/v1/stores?limit=2`, {
      headers: { authorization: `Bearer ${ref.token}` },
    });
    const text = await response.text();
    const entry = {
      request: { method: "GET", url: response.url },
      response: {
        status: 400,
        content: {
          mimeType: "application/json",
          text: '{"error":{"code":"validation_failed","issues":[{"path":"limit","message":"x"}]}}',
        },
      },
    };
    const other = {
      request: entry.request,
      response: { status: 200, content: { mimeType: "application/json", text } },
    };
    writeFileSync(join(folder, "traffic.har"), JSON.stringify({ log: { entries: [entry, other] } }));
    const { code, stdout } = await run("--har", "traffic.har", "--json");
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as ProbeReport;
    expect(report.readings).toMatchObject({ "errors.issue-codes": "absent" });
    expect(report.requests.total).toBe(0);
  });
});

/** Resolves with the ledger's path when it has several writes. */
async function writesNoted(): Promise<string> {
  const ledger = join(folder, "shelfleet.ledger.ndjson");
  const hasWritten = (): boolean =>
    existsSync(ledger) && readFileSync(ledger, "utf8").split('"write"').length > 4;
  while (!hasWritten()) await setTimeout(20);
  return ledger;
}

async function storeOf(externalId: string): Promise<unknown> {
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
  return [
    await store.stores.get(externalId),
    await store.contacts.get(externalId),
    await store.expositions.get(externalId),
  ];
}
