import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { serve } from "../../../src/mock/node.ts";
import { Program, setVariables } from "../../cli/program.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "shelfleet-compare-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `shelfleet compare` against a server that lists the newest protocol first. */
async function run(readings: unknown, ...args: string[]) {
  const ref = createReferenceServer({
    store: { stores: 2 },
    readings: { "protocols.order": "newest-first" },
  });
  const served = await serve(ref);
  onTestFinished(() => served.close());
  const file = join(folder, "readings.json");
  writeFileSync(file, typeof readings === "string" ? readings : JSON.stringify(readings));
  setVariables({ SHELFLEET_TOKEN: ref.token });
  const program = new Program(
    "compare",
    "--store-url",
    served.storeUrl,
    "--readings",
    file,
    "--rate",
    "100000",
    ...args,
  );
  const code = await program.end();
  expect(program.stdout + program.stderr).not.toContain(ref.token);
  return { code, file, stdout: program.stdout, stderr: program.stderr };
}

describe("shelfleet compare", () => {
  it("exits with 0 if nothing differs", async () => {
    const file = { version: 1, readings: { "protocols.order": "newest-first" } };
    const { code, stdout } = await run(file);
    expect(stdout).toMatch(/^0 differences in \d+ reads; \d+ requests to the service\n$/);
    expect(code).toBe(0);
  });

  it("exits with 1 and prints each difference", async () => {
    const { code, stdout } = await run({});
    expect(code).toBe(1);
    expect(stdout).toContain("listProtocols order /items: service ");
    expect(stdout).toContain("\n    GET /v1/stores/S-1/protocols?from=");
  });

  it("exits with 4 if it finds no difference, but cannot compare everything", async () => {
    const readings = { "protocols.order": "newest-first" };
    const whole = await run(readings);
    const [, requests = "0"] = /; (\d+) requests/.exec(whole.stdout) ?? [];
    const { code, stdout } = await run(readings, "--max-requests", String(Number(requests) - 1));
    expect(stdout).toMatch(
      /^0 differences in .*\nnot compared completely: the comparison, after \d+ requests/,
    );
    expect(code).toBe(4);
  });

  it("prints the report as JSON", async () => {
    const { stdout } = await run({}, "--json");
    const { differences } = JSON.parse(stdout) as { differences: { operation: string; aspect: string }[] };
    expect(differences[0]).toMatchObject({ operation: "listProtocols", aspect: "order" });
  });

  it("exits with 2 for readings that do not exist", async () => {
    const { code, stderr } = await run({ "protocols.order": "random" });
    expect(code).toBe(2);
    expect(stderr).toContain('unknown reading "random" of "protocols.order"');
  });

  it("exits with 2 for readings that are not JSON", async () => {
    const { code, stderr, file } = await run("no JSON");
    expect([code, stderr]).toEqual([2, `shelfleet: --readings ${file}: not JSON\n`]);
  });

  it("exits with 3 if the service rejects the token", async () => {
    const ref = createReferenceServer();
    const served = await serve(ref);
    onTestFinished(() => served.close());
    setVariables({ SHELFLEET_TOKEN: "wrong-token" });
    const file = join(folder, "none.json");
    writeFileSync(file, "{}");
    const program = new Program("compare", "--store-url", served.storeUrl, "--readings", file);
    expect(await program.end()).toBe(3);
    expect(program.stderr).toBe(
      "shelfleet: /v1/stores: status 401; the data of the service cannot be read\n",
    );
  });
});
