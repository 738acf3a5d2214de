import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/prove/index.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "prove-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts `shelfleet prove`. Its temporary files are in the folder of this test, and no variable says where compiled code is. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [main, "prove", ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, ...env, TMPDIR: folder },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => void (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

function prove(scenario: string, program: readonly string[], ...flags: string[]): Promise<Ended> {
  return start(["--only", scenario, ...flags, "--", ...program]).ended;
}

async function verdictsOf(scenario: string, program: readonly string[]): Promise<string[]> {
  const { stdout } = await prove(scenario, program, "--json");
  expect(stdout).not.toMatch(/ref-token-\w{12}/);
  return (JSON.parse(stdout) as Report[]).map(({ verdict }) => verdict);
}

/** Writes a program in JavaScript and returns its command. */
function node(source: string): string[] {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    file,
    `import { readFileSync, writeFileSync } from "node:fs";\nconst env = process.env;\n${source}`,
  );
  return [process.execPath, file];
}

const sh = (script: string): string[] => ["sh", "-c", script];

const PLAIN = "copy-stores/no-fault";
const COPY = `
let rows = [];
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
const copy = node(COPY + DELIVER);
const ours = [process.execPath, fileURLToPath(new URL("programs/main.ts", import.meta.url)), "guides"];

/** Returns the folders of worlds that `shelfleet prove` has not removed. */
const ownFolders = (): string[] => readdirSync(folder).filter((name) => name.startsWith("shelfleet-prove"));

/** Returns the process IDs in a file whose processes run. */
function running(file: string): string[] {
  return readFileSync(file, "utf8")
    .trim()
    .split(" ")
    .filter((pid) => {
      try {
        return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")); // a zombie has ended
      } catch {
        return false;
      }
    });
}

describe("shelfleet prove", () => {
  it("passes a program that is right or loud, and does not read its standard output", async () => {
    const program = node(`${COPY}${DELIVER}\nconsole.log("not a row");`);
    const { code, stdout } = await prove(`${PLAIN},copy-stores/reset`, program);
    expect([code, stdout]).toEqual([0, expect.stringContaining("2 scenarios: 1 correct, 1 loud")]);
    expect(stdout).not.toContain("not a row");
  });

  it("tells the story of a failure: the fault, what would be right, and how to repeat it", async () => {
    const { code, stdout } = await prove("copy-stores/cursor-missing", [...copy, "it's"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /copy-stores\/cursor-missing: silent[^]*lost[^]*and 27 more[^]*<-- no cursor[^]*right would be[^]*run it again +npx shelfleet prove --only copy-stores\/cursor-missing .*-- .* 'it'\\''s'/,
    );
  });

  it("names the remedy of an error where a program can be right, and the error itself", async () => {
    const { code, stdout } = await prove("copy-stores/reset", copy);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^1 scenario passed with an error, where a program can be right:\n {2}Repeat a read .*\n {4}copy-stores\/reset \(exit code 1: TypeError: fetch failed\)\n\n1 scenario: 1 loud\n$/,
    );
  });

  it.each([
    ["nothing", "", "nothing"],
    [
      "other files",
      'mkdir "$SHELFLEET_OUT/a"; cd "$SHELFLEET_OUT"; touch a/rows.ndjson x.db',
      "a/rows.ndjson, x.db",
    ],
  ])("says so if a program delivers no row, and writes %s", async (_, write, files) => {
    const program = sh(`curl -s "$STORE_URL/v1/stores" > /dev/null; ${write}`);
    const { code, stdout } = await prove(PLAIN, program);
    const reason = `every row: no row in a file *.ndjson of SHELFLEET_OUT, which has: ${files}`;
    expect([code, stdout]).toEqual([1, expect.stringContaining(reason)]);
  });

  it("quotes what a program with exit code 0 has logged, if its result is wrong", async () => {
    const program = node(`${COPY}console.error("begin"); console.error("no connection to the database");`);
    const { stdout } = await prove(PLAIN, program);
    expect(stdout).toMatch(
      /error +exit code 0: begin no connection to the database\n +if it noticed the error, end with another exit code/,
    );
    expect((await prove("copy-stores/empty-page", copy)).stdout).not.toContain("exit code 0");
  });

  it("names the file in which it finds a secret, and says where a config file belongs", async () => {
    const write = `cd "$SHELFLEET_OUT"; mkdir etc; printf %s "$STORE_TOKEN" > "$(printf 'etc/a\\033.json')"`;
    const program = sh(`curl -s "$STORE_URL/v1/stores" > /dev/null; ${write}`);
    const place = String.raw`in the file etc/a\u001b.json; a config file with the secret belongs in another folder than SHELFLEET_OUT`;
    expect((await prove(PLAIN, program)).stdout).toContain(`no-fault: leaked (${place})`);
    const { stdout } = await prove(PLAIN, program, "--json");
    expect(JSON.parse(stdout)).toMatchObject([{ verdict: "leaked", leak: place }]);
  });

  it.each([
    ["fails", "exit 1", "did not reach: any request (exit code 1)", "3 not exercised"],
    ["does not end", "exec sleep 60", "too slow here", "1 too slow, 2 not exercised"],
  ])("runs a task with a fault only if it works without one: it %s", async (what, script, reason, counts) => {
    const runs = join(folder, what);
    const program = sh(`echo run >> "${runs}"; ${script}`);
    const names = `${PLAIN},copy-stores/reset,copy-stores/stalled`;
    const { code, stdout, stderr } = await prove(names, program, "--timeout", "3");
    expect([code, readFileSync(runs, "utf8")]).toEqual([2, "run\n"]);
    expect(stdout).toContain(`copy-stores/no-fault: ${reason}`);
    const end = `copy-stores/no-fault fails: 2 scenarios of this task not judged\n3 scenarios: ${counts}\n`;
    expect(stdout).toContain(end);
    expect(stderr.split("\n")).toEqual([expect.stringContaining("copy-stores/no-fault: "), ""]);
  });

  it("names the request that a program never sent", async () => {
    const program = sh('curl -s "$FLEET_URL/damages" > /dev/null; exit 1');
    const { stdout } = await prove("report-damages/reset-after-write", program);
    expect(stdout).toContain("did not reach: executed, then reset (the program never sent createDamage)");
  });

  it("shows how long a program should have waited", async () => {
    const again = `for (let times = 0; times < 9; times += 1) { ${COPY.replaceAll(/throw.*/g, "break;")} }`;
    const { stdout } = await prove("copy-stores/wait-an-hour", node(again));
    expect(stdout).toMatch(/hammered[^]*<-- not executed: 429, Retry-After: 3600/);
  });

  it("lists the selected scenarios", async () => {
    const { stdout } = await start(["--list", "--tasks", "copy-stores", "--only", "plain"]).ended;
    expect(stdout).toMatch(/^copy-stores\/no-fault .*\n$/);
  });

  it("names what a program did not reach", async () => {
    const { code, stdout } = await prove("copy-stores/reset", ["false"]);
    const story = expect.stringMatching(/copy-stores\/reset: did not reach: .*exit code 1/) as string;
    expect([code, stdout]).toEqual([2, story]);
  });

  it.each([
    [["--", "/no/sync"], "cannot start /no/sync: there is no such program"],
    [["--junit", "/no/a.xml", "--", "true"], "--junit /no/a.xml: cannot be written (ENOENT)"],
    [["--only", "no-such-thing", "--", "true"], '"no-such-thing" selects no scenario'],
    [["--only", "copy-stores/no", "--", "true"], "selects no scenario"],
    [["--only", "", "--", "true"], "--only must not be empty"],
    [["--only", "lists", "--only", "reset", "--", "true"], "--only is given twice"],
    [["--taks", "copy-stores", "--", "true"], "(did you mean --tasks?)"],
    [["--jobs", "0", "--", "true"], "--jobs must be a positive integer"],
    [["--tasks", "copy-stores"], "No program"],
    [["--", ""], "No program"],
    [["python", "sync.py"], "No program: expected it after --"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await start(args).ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toMatch(/^shelfleet: .*\n$/);
    expect(ownFolders()).toEqual([]);
  });

  it("ends the other programs and removes their files if one cannot be started any more", async () => {
    const [program, pids] = [join(folder, "removed"), join(folder, "pids-of-removed")];
    const first = `echo $$ > ${pids}; sleep 300`;
    const second = `while [ ! -s ${pids} ]; do sleep 0.1; done; rm "$0"`;
    const script = `#!/bin/sh\nif mkdir "$0.first"; then ${first}; else ${second}; fi\n`;
    writeFileSync(program, script, { mode: 0o755 });
    const { code, stderr } = await prove("lists", [program], "--jobs", "2", "--timeout", "300");
    expect([code, stderr]).toEqual([2, expect.stringContaining(`cannot start ${program}`)]);
    expect(running(pids)).toEqual([]);
    expect(ownFolders()).toEqual([]);
  });

  it("kills a program that takes too long, with what it started, and says what helps", async () => {
    const pids = join(folder, "hanging");
    const program = sh(`sleep 300 & echo $$ $! > ${pids}; wait`);
    const { code, stdout } = await prove(PLAIN, program, "--timeout", "2");
    expect([code, stdout]).toEqual([2, expect.stringMatching(/no-fault: too slow here.*--timeout.*--jobs/)]);
    expect(running(pids)).toEqual([]);
  });

  it.each([
    ["a request", 'curl -s "$STORE_URL/v1/stores" > /dev/null; sleep 300', /\d\.\d s after its last request/],
    ["no request", "sleep 300", /without a request/],
  ])("says of a program that sleeps after %s that it must do one pass", async (_, script, last) => {
    const { stdout } = await prove(PLAIN, sh(script), "--timeout", "3");
    expect(stdout).toMatch(new RegExp(`too slow here.*stopped at the time limit, ${last.source}.*one pass`));
  });

  it("finds a program that waits without end for a response, and names each failure as it comes", async () => {
    const { code, stdout, stderr } = await prove("copy-stores/stalled", copy, "--timeout", "20");
    expect([code, stdout]).toEqual([1, expect.stringContaining("copy-stores/stalled: hung")]);
    expect(stderr).toBe("copy-stores/stalled: hung\n");
  });

  it("ends a program whose output does not end, and one that leaves its output open", async () => {
    expect((await prove(PLAIN, ["yes"], "--timeout", "1")).stdout).toContain(`${PLAIN}: too slow`);
    const pid = join(folder, "pid");
    await prove(PLAIN, sh(`setsid sleep 100 & echo $! > ${pid}`), "--timeout", "5");
    process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
  });

  it("kills its programs and removes its files when it is interrupted, also by a signal that npx passes on", async () => {
    const pids = join(folder, "pids");
    const program = sh(`sleep 100 & echo $$ $! > ${pids}; wait`);
    const { child, ended } = start(["--only", PLAIN, "--timeout", "100", "--", ...program]);
    await expect.poll(() => existsSync(pids), { timeout: 300_000 }).toBe(true);
    child.kill("SIGINT");
    await setTimeout(2);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(running(pids)).toEqual([]);
    expect(ownFolders()).toEqual([]);
  });

  it.each([
    ["kills a program at a request, and starts it again", "copy-stores/killed-at-the-second-request", copy],
    ["judges two programs at the same time", "report-damages/two-runs-at-once", ours],
  ])("%s", async (_, scenario, program) => {
    expect(await prove(scenario, program)).toMatchObject({ code: 0 });
  });

  it("gives a program no URL or secret of a real service under the names that the clients read", async () => {
    const names = ["STORE_URL", "TOKEN", "FLEET_URL", "SANDBOX_URL", "KEY"].map(
      (name) => `SHELFLEET_${name}`,
    );
    const script = `${names.map((name) => `[ "$${name}" != real ]`).join(" && ")} && echo own >&2; exit 3`;
    const real = Object.fromEntries(names.map((name) => [name, "real"]));
    const { stdout } = await start(["--only", PLAIN, "--", ...sh(script)], real).ended;
    expect(stdout).toContain("(exit code 3: own)");
  });

  it("keeps the compiled code of programs of Node from one scenario to the next, and not after the run", async () => {
    const last = node(
      'import { getCompileCacheDir } from "node:module"; throw new Error(getCompileCacheDir());',
    );
    expect((await prove(PLAIN, last)).stdout).toMatch(/exit code 1: Error: .*shelfleet-prove-/);
    expect(ownFolders()).toEqual([]);
    const env = { NODE_COMPILE_CACHE: join(folder, "cache") };
    const { stdout } = await start(["--only", PLAIN, "--", ...last], env).ended;
    expect(stdout).toContain(`Error: ${env.NODE_COMPILE_CACHE}`);
  });

  it("does not count what a process of the program writes after the program has ended", async () => {
    const write = `setTimeout(async () => {
      const { data } = JSON.parse(readFileSync(env.SHELFLEET_TASK, "utf8"));
      const headers = { authorization: "Bearer " + env.FLEET_KEY, "content-type": "application/json" };
      for (const damage of data.damages)
        await fetch(env.FLEET_URL + "/damages", { method: "POST", headers, body: JSON.stringify(damage) });
    }, 300); writeFileSync(env.SHELFLEET_OUT + "/started", "");
    await fetch(env.FLEET_URL + "/vehicles");`;
    const wait = `setsid ${node(write).join(" ")} & while [ ! -e "$SHELFLEET_OUT/started" ]; do sleep 0.1; done`;
    const { stdout } = await prove("report-damages/no-fault", sh(`${wait}; sleep 0.1`));
    expect(stdout).toMatch(/report-damages\/no-fault: (silent|did not reach)/);
  });
});

describe("the output", () => {
  it("contains no command of a program, in a row or in an error, in text, JSON and JUnit", async () => {
    const commands = "\\033[2J\\033]0;x\\007\\342\\200\\256\\342\\200\\250\\357\\277\\277";
    const junit = join(folder, "report.xml");
    const row = `printf '{"externalId":"${commands}<b>]]>"}\\n' > "$SHELFLEET_OUT/a.ndjson"; curl -s "$STORE_URL/v1/stores" >/dev/null`;
    for (const script of [row, `${row}; printf '${commands}<b>' >&2; exit 3`]) {
      for (const flags of [[], ["--json"], ["--junit", junit]]) {
        const { stdout } = await prove(PLAIN, sh(script), ...flags);
        expect(stdout).toMatch(/\\u001b\[2J|\\\\u001b\[2J/);
        expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
      }
    }
    const xml = readFileSync(junit, "utf8");
    expect(xml.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{NChar}]|<b>/u);
  });

  it("is JSON, and JUnit XML in a file", async () => {
    const junit = join(folder, "junit.xml");
    const { stdout } = await prove(`copy-stores/cursor-missing,${PLAIN}`, copy, "--json", "--junit", junit);
    expect((JSON.parse(stdout) as Report[]).map(({ verdict }) => verdict)).toEqual(["correct", "silent"]);
    expect(readFileSync(junit, "utf8")).toMatch(
      /<testsuite [^>]*tests="2" failures="1" errors="0"[^]*<failure message="silent">/,
    );
  });
});

describe("a verdict", () => {
  const half = `writeFileSync(env.SHELFLEET_OUT + "/a.ndjson", JSON.stringify(rows[0]) + '\\n{"sto');`;
  const windows = DELIVER.replace("rows.map((row)", '"\\uFEFF" + rows.map((row)').replace("\\n", "\\r\\n");
  it.each([
    ["writes half of a line", "silent", COPY + half],
    ["delivers each row twice", "silent", `${COPY}rows.push(...rows);${DELIVER}`],
    ["delivers arrays", "silent", `${COPY}rows = rows.map((row) => [row]);${DELIVER}`],
    ["delivers more properties", "correct", `${COPY}for (const row of rows) row.copiedAt = 1;${DELIVER}`],
    ["has a byte order mark and lines of Windows", "correct", COPY + windows],
    ["fails although nothing goes wrong", "not exercised", `${COPY}process.exit(1);`],
    ["prints its token", "leaked", `${COPY}${DELIVER}console.log(env.STORE_TOKEN);`],
    ["prints it behind megabytes", "leaked", `${COPY}console.log("y\\n".repeat(2e6) + env.STORE_TOKEN);`],
    ["prints it encoded", "leaked", `${COPY}console.log(btoa(env.STORE_TOKEN));`],
    ["logs it", "leaked", `${COPY}${DELIVER}writeFileSync(env.SHELFLEET_OUT + "/a.log", env.STORE_TOKEN);`],
  ])("of a program that %s is %s", async (_, verdict, source) => {
    expect(await verdictsOf(PLAIN, node(source))).toEqual([verdict]);
  });

  it.each([
    ["on one line", ""],
    ["on several lines", ", undefined, 2"],
  ])("is not made of one JSON array %s: the message asks for an object on each line", async (_, form) => {
    const array = `${COPY}writeFileSync(env.SHELFLEET_OUT + "/a.ndjson", JSON.stringify(rows${form}));`;
    const { code, stdout } = await prove(PLAIN, node(array));
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining("a.ndjson is one JSON array: write one object per line"),
    ]);
  });

  it.each([
    [
      "an error of Node",
      node('throw new TypeError("no such store", { cause: new Error("why") });'),
      "TypeError: no such store",
    ],
    [
      "the last of several lines",
      sh("printf 'begin\\nValueError: no such store\\n' >&2; exit 1"),
      "ValueError: no such store",
    ],
    ["its own words", sh("echo 'no such store' >&2; exit 1"), "no such store"],
    [
      "an exception of Python whose name does not say so",
      sh("printf '    raise IncompleteRead\nhttp.client.IncompleteRead: 6 bytes\n' >&2; exit 1"),
      "http.client.IncompleteRead: 6 bytes",
    ],
    ["a signal", sh("kill -ALRM $$"), "ended by SIGALRM", ""],
  ])("quotes %s", async (_, program, reason, before = "exit code 1: ") => {
    const { stdout } = await prove(PLAIN, program);
    expect(stdout).toContain(`(${before}${reason})`);
  });

  it("is not made of a folder in the place of rows", async () => {
    expect(await verdictsOf(PLAIN, sh('mkdir "$SHELFLEET_OUT/a.ndjson"'))).toEqual(["not judged"]);
  });
});
