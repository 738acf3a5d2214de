import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/mock/scenarios/index.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const programs = fileURLToPath(new URL("programs/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "prove-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function prove(...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [main, "prove", ...args]);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (stderr += text));
  return new Promise((resolve) => void child.once("close", (code) => resolve({ code, stdout, stderr })));
}

/** Writes a program and returns its command. */
function program(source: string): string[] {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    file,
    `import { readFileSync, writeFileSync, appendFileSync } from "node:fs";\nconst env = process.env;\n${source}`,
  );
  return ["--", process.execPath, file];
}

const reset = ["--only", "copy-stores/reset"];
const COPY = `
const rows = [];
let cursor;
do {
  const url = env.STORE_URL + "/v1/stores?limit=100" + (cursor ? "&cursor=" + cursor : "");
  const response = await fetch(url, { headers: { authorization: "Bearer " + env.STORE_TOKEN } });
  if (!response.ok) throw new Error("status " + response.status);
  const page = await response.json();
  rows.push(...page.items);
  cursor = page.nextCursor;
} while (cursor);
`;
const DELIVER = `writeFileSync(env.SHELFLEET_OUT + "/stores.ndjson", rows.map((row) => JSON.stringify(row) + "\\n").join(""));`;

describe("shelfleet prove", () => {
  it("passes a program that is right or loud, and does not read its standard output", async () => {
    const { code, stdout } = await prove(
      "--only",
      "copy-stores/no-fault,copy-stores/reset",
      ...program(`${COPY}${DELIVER}\nconsole.log("not a row");`),
    );
    expect(stdout).toContain("2 scenarios: 1 correct, 1 loud");
    expect(stdout).not.toContain("not a row");
    expect(code).toBe(0);
  });

  it("tells the story of a failure, with the fault and the command to run it again", async () => {
    const { code, stdout } = await prove("--only", "copy-stores/cursor-missing", ...program(COPY + DELIVER));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /copy-stores\/cursor-missing: silent[^]*lost[^]*and 27 more[^]*<-- no cursor[^]*hint[^]*run it again +npx shelfleet prove --only copy-stores\/cursor-missing -- /,
    );
  });

  it("cannot judge a fault that was not reached, nor a program that does not exist", async () => {
    expect(await prove(...reset, ...program("process.exit(3)"))).toMatchObject({
      code: 2,
    });
    expect(await prove("--only", "copy-stores/reset", "--", "/does/not/exist")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("cannot start /does/not/exist: there is no such program") as string,
    });
  });

  it("kills a program that hangs, with what it started", async () => {
    const pids = join(folder, "pids");
    const hang = program(`
      import { spawn } from "node:child_process";
      appendFileSync(${JSON.stringify(pids)}, process.pid + " " + spawn("sleep", ["300"]).pid + " ");
      await new Promise((resolve) => setTimeout(resolve, 300_000));`);
    const { code, stdout } = await prove("--only", "copy-stores/no-fault", "--timeout", "2", ...hang);
    expect([code, stdout]).toEqual([1, expect.stringContaining("copy-stores/no-fault: hung")]);
    const isAlive = (pid: string) => {
      try {
        return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")); // a zombie has ended
      } catch {
        return false;
      }
    };
    expect(readFileSync(pids, "utf8").trim().split(" ").filter(isAlive)).toEqual([]);
  });

  it("finds a token in the output of a program", async () => {
    const { stdout } = await prove(
      "--only",
      "copy-stores/no-fault",
      ...program(`${COPY}${DELIVER}\nconsole.error(env.STORE_TOKEN);`),
    );
    expect(stdout).toContain("copy-stores/no-fault: leaked (in what the program printed or reported)");
  });

  it("reads the rows with a command, and gives variables other names", async () => {
    const copy = program(
      `${COPY.replaceAll("env.STORE_URL", "env.API")}${DELIVER.replace("stores.ndjson", "rows.txt")}`,
    );
    const { code } = await prove(
      "--only",
      "copy-stores/no-fault",
      "--env",
      "API={STORE_URL}",
      "--read",
      'cat "$SHELFLEET_OUT/rows.txt"',
      ...copy,
    );
    expect(code).toBe(0);
  });

  it("writes JSON and JUnit", async () => {
    const file = join(folder, "junit.xml");
    const { stdout } = await prove(
      "--only",
      "copy-stores/cursor-missing,copy-stores/no-fault",
      "--json",
      "--junit",
      file,
      ...program(COPY + DELIVER),
    );
    expect((JSON.parse(stdout) as Report[]).map(({ verdict }) => verdict)).toEqual(["correct", "silent"]);
    expect(readFileSync(file, "utf8")).toMatch(
      /<testsuite [^>]*tests="2" failures="1"[^]*<failure message="silent">/,
    );
  });

  it("kills a program at a request, and starts it again", async () => {
    const { code, stdout } = await prove(
      "--only",
      "killed-at-the-second-request",
      "--tasks",
      "copy-stores",
      ...program(COPY + DELIVER),
    );
    expect([code, stdout.trim()]).toEqual([0, "1 scenarios: 1 correct"]);
  });

  it("judges two programs at the same time", async () => {
    const args = ["--only", "report-damages/two-runs-at-once", "--", process.execPath, programs, "shelfleet"];
    expect(await prove(...args)).toMatchObject({ code: 0 });
  });

  it("serves one world for a debugger, and judges it after Ctrl+C", async () => {
    const child = spawn(process.execPath, [main, "prove", "--serve", "copy-stores/cursor-missing"]);
    let stdout = "";
    const served = new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        if (stdout.includes("Press Ctrl+C")) resolve();
      });
    });
    await served;
    expect(stdout).toContain("# Deliver every store once");
    const exported = [...stdout.matchAll(/^export (\w+)='(.*)'$/gm)];
    const env = Object.fromEntries(exported.map(([, name = "", value = ""]) => [name, value]));
    const [, command = "", ...args] = program(COPY + DELIVER);
    const debugged = spawn(command, args, { env: { ...process.env, ...env }, stdio: "inherit" });
    await new Promise((resolve) => void debugged.once("close", resolve));
    const end = new Promise((resolve) => void child.once("close", resolve));
    child.kill("SIGINT");
    expect(await end).toBe(1);
    expect(stdout).toMatch(/copy-stores\/cursor-missing: silent[^]*lost/);
  });

  it.each([
    ["does nothing", "", "silent"],
    ["writes an empty file", `writeFileSync(env.SHELFLEET_OUT + "/a.ndjson", "");`, "silent"],
    [
      "writes half of a line",
      `${COPY}writeFileSync(env.SHELFLEET_OUT + "/a.ndjson", JSON.stringify(rows[0]) + '\\n{"sto');`,
      "(silent|not judged)",
    ],
    ["delivers each row twice", `${COPY}rows.push(...rows);${DELIVER}`, "silent"],
    ["delivers rows of other stores", `${COPY}rows.push({ storeId: "x", name: "y" });${DELIVER}`, "silent"],
    [
      "delivers arrays",
      `${COPY}rows = rows.map((row) => [row]);${DELIVER}`.replace("const rows", "let rows"),
      "silent",
    ],
    ["delivers more properties", `${COPY}for (const row of rows) row.copiedAt = 1;${DELIVER}`, "correct"],
    ["fails although nothing goes wrong", `${COPY}process.exit(1);`, "not exercised"],
    ["ignores SIGTERM", `process.on("SIGTERM", () => {});${COPY}${DELIVER}`, "correct"],
    ["prints its token", `${COPY}${DELIVER}console.log(env.STORE_TOKEN);`, "leaked"],
  ])("judges a program that %s", async (_, source, verdict) => {
    const { stdout, stderr } = await prove("--only", "copy-stores/no-fault", "--json", ...program(source));
    const [report] = stdout === "" ? [] : (JSON.parse(stdout) as Report[]);
    expect(report?.verdict ?? `not judged ${stderr}`).toMatch(new RegExp(`^${verdict}`));
  });

  it.each([".", "/nowhere/report.xml"])("runs nothing if it cannot write --junit %s", async (junit) => {
    const started = join(folder, "started");
    const source = `writeFileSync(${JSON.stringify(started)}, "");`;
    const { code, stdout, stderr } = await prove(...reset, "--junit", junit, ...program(source));
    expect([code, stdout, existsSync(started)]).toEqual([2, "", false]);
    expect(stderr).toMatch(/^shelfleet: --junit \S+: (is a folder|cannot be written \(ENOENT\))\n$/);
  });

  it.skipIf(process.platform !== "linux")(
    "prints its reports although --junit cannot be written",
    async () => {
      const { code, stdout, stderr } = await prove(
        ...reset,
        "--junit",
        "/dev/full",
        ...program("process.exit(3)"),
      );
      expect([code, stderr]).toEqual([2, "shelfleet: --junit /dev/full: cannot be written (ENOSPC)\n"]);
      expect(stdout).toContain("copy-stores/reset");
    },
  );

  it("rejects unknown names and flags", async () => {
    expect(await prove("--only", "no-such-thing", "--", "true")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"no-such-thing" selects no scenario') as string,
    });
    for (const none of [[], ["--"], ["--", ""]])
      expect(await prove("--tasks", "copy-stores", ...none)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("No program") as string,
      });
  });
});
