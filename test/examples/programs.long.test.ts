import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "examples-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(program: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const ended = execFile(
      process.execPath,
      [join(examples, program), ...args],
      { cwd: folder },
      (_, stdout, stderr) => resolve({ code: ended.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Lines that each program prints when it is started without arguments. */
const programs: Record<string, { code?: number; prints: (string | RegExp)[] }> = {
  "store-walk.ts": { prints: [/^ +250 {2}stores$/m] },
  "protocol-walk-resume.ts": { prints: ["75 protocols handled, all of them"] },
  "fleet-walk-concurrency.ts": { prints: [/^500 vehicles, at most 1 r/m, /^500 vehicles, at most 8 r/m] },
  "upsert-from-csv.ts": {
    code: 1,
    prints: [
      "line 5: externalId: ",
      /^line 6: .*regionId: /m,
      "line 8: K-002 is already on line 3",
      /^line 9: .*storeType: /m,
      "0 planned, 4 written, 0 unchanged",
    ],
  },
  "error-handling.ts": {
    prints: [
      "an error of the server: StoreApiError: 500 after 2 attempts",
      "an unknown store: StoreApiError: create it first",
      "a wrong token: StoreApiError: use another token",
      "an invalid request: InvalidRequestError: correct limit",
      "a lost connection: ConnectionError: ",
      "a response that never arrives: TimeoutError: ",
      "a page of a proxy: UnexpectedResponseError: ",
      "a list that repeats a cursor: PaginationError: ",
      "a key without a scope: ScopeError: request a key with vehicles:write",
      "an unknown vehicle: FleetApiError: 404 NOT_FOUND",
      "a base URL without TLS: ConfigurationError: ",
    ],
  },
  "key-scope-report.ts": {
    prints: [
      "can call (5):",
      "can call under some readings of the contract (3):",
      "cannot call (24):",
      "ask a company",
    ],
  },
  "watch-damages.ts": {
    prints: [/^GET \/damages: 500 .*; next round in 100 ms\nfirst damage\nended\n$/],
  },
  "opentelemetry-spans.ts": {
    prints: [
      /^- nightly check\n( {2}- listStores\n {4}- GET \/v1\/stores 200\n){2}/,
      "  - getStore\n    - GET /v1/stores/{externalId} 500\n    - GET /v1/stores/{externalId} 200 sent again\n",
      "    - GET /v1/stores/{externalId}/contacts ConnectionError\n    - GET /v1/stores/{externalId}/contacts 200 sent again\n",
      "  - getStore\n    - GET /v1/stores/{externalId} 404\n",
    ],
  },
};

describe("examples", () => {
  it("are all run by this test or by vitest itself", () => {
    const files = globSync("*.ts", { cwd: examples, exclude: ["*.test.ts"] });
    expect(files.toSorted()).toEqual(Object.keys(programs).toSorted());
  });

  it("are all in the table of their README", () => {
    const table = readFileSync(join(examples, "README.md"), "utf8");
    const named = [...table.matchAll(/^\| \[`([^`]+)`\]/gm)].map(([, name = ""]) => name);
    expect(named).toEqual(expect.arrayContaining(globSync("*.ts", { cwd: examples })));
    expect(named.filter((name) => !existsSync(join(examples, name)))).toEqual([]);
  });

  it.concurrent.each(Object.entries(programs))(
    "print the expected lines: %s",
    async (program, { code = 0, prints }) => {
      const ended = await run(program);
      expect(ended).toMatchObject({ code, stderr: "" });
      for (const line of prints) expect(ended.stdout).toMatch(line);
    },
  );

  it("resume a walk of protocols where the last run stopped", async () => {
    const place = join(folder, "place.json");
    const first = await run("protocol-walk-resume.ts", "--place", place, "--pages", "3");
    expect(first.stdout).toBe("30 protocols handled, more remain\n");
    const second = await run("protocol-walk-resume.ts", "--place", place);
    expect(second.stdout).toBe("75 protocols handled, all of them\n");
  });

  it("report the line in which a CSV file is malformed", async () => {
    const file = join(folder, "broken.csv");
    writeFileSync(file, "externalId;name\nK-1;Kiosk\nK-2;too;many\n");
    const { code, stderr } = await run("upsert-from-csv.ts", file);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("line 3") as string });
  });

  it("report each line of a CSV file with half of the opening times or of a contact", async () => {
    const file = join(folder, "half.csv");
    writeFileSync(
      file,
      "externalId;name;opens;closes;contact;phone\nK-1;A;05:30;;;\nK-2;B;;;Anna;\nK-3;C;;;;\n",
    );
    const { code, stdout } = await run("upsert-from-csv.ts", file);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        "line 2: opens and closes: one of them is empty\nline 3: contact and phone: one of them is empty\n" +
        "0 planned, 1 written, 0 unchanged\n",
    });
  });

  it.each(["0", "three"])("reject %s as the number of pages", async (pages) => {
    const { code, stderr } = await run(
      "protocol-walk-resume.ts",
      "--place",
      join(folder, "none.json"),
      "--pages",
      pages,
    );
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--pages must be") as string,
    });
  });

  it("show with --dry-run what a CSV file would change, and write nothing", async () => {
    const { stdout } = await run("upsert-from-csv.ts", "--dry-run");
    expect(stdout).toMatch(/'K-003' +│ 'name' +│ '"Galeria"' +│ '"Galeria Bałtycka"'/);
    expect(stdout).toContain("5 planned, 0 written, 0 unchanged\n");
  });

  it("report that an unknown scope permits no operation", async () => {
    const { stdout, stderr } = await run("key-scope-report.ts", "damages:read", "moon:read");
    expect(stderr).toContain("moon:read is not a scope");
    expect(stdout).toContain("A key with damages:read\n");
  });
});
