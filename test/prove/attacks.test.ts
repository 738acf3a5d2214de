import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const programs = fileURLToPath(new URL("programs/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "prove-attacks-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
}

/** Starts `shelfleet prove` for one scenario. Its temporary files are in the folder of this test. */
function start(args: readonly string[], script: string): Started {
  const only = args.includes("--only") ? [] : ["--only", "copy-stores/no-fault"];
  const command = [main, "prove", ...only, ...args, "--", "sh", "-c", script];
  const child = spawn(process.execPath, command, { env: { ...process.env, TMPDIR: folder } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => void (output += text));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, output }));
  });
  return { child, ended };
}

function prove(script: string, ...args: string[]): Started["ended"] {
  return start(args, script).ended;
}

function isAlive(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8")); // a zombie has ended
  } catch {
    return false;
  }
}

const commands = "\\033[2J\\033]0;x\\007\\342\\200\\256\\342\\200\\250\\357\\277\\277";

describe("shelfleet prove", () => {
  it("prints and writes no command of a program, in a row or in an error", async () => {
    const junit = join(folder, "report.xml");
    const row = `printf '{"externalId":"${commands}<b>]]>"}\\n' > "$SHELFLEET_OUT/a.ndjson"`;
    const error = `printf '${commands}<b>' >&2; exit 3`;
    for (const script of [row, `${row}; ${error}`]) {
      for (const args of [[], ["--json"], ["--junit", junit]]) {
        const { output } = await prove(script, ...args);
        expect(output).toMatch(/\\u001b\[2J|\\\\u001b\[2J/);
        expect(output.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
      }
    }
    const xml = readFileSync(junit, "utf8");
    expect(xml.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{NChar}]|<b>/u);
  });

  it("finds an encoded token, and does not print it", async () => {
    const script =
      'printf %s "$STORE_TOKEN" | base64 -w0 >&2; printf \'{"externalId":"%s"}\' "$STORE_TOKEN" > "$SHELFLEET_OUT/a.ndjson"; exit 3';
    const { output } = await prove(script, "--json");
    const [{ verdict, leak }] = JSON.parse(output) as [{ verdict: string; leak: string }];
    expect([verdict, leak]).toEqual(["leaked", "in what the program printed or reported"]);
    expect(output).not.toMatch(/ref-token-\w{12}|cmVmLXRva2VuL/);
  });

  it("prints no secret that the command for the rows prints as an error", async () => {
    const { code, output } = await prove("true", "--read", 'echo "no rows: $STORE_TOKEN" >&2; exit 1');
    expect([code, output]).toEqual([2, expect.stringContaining("no rows: [redacted]")]);
  });

  it("gives a program no URL or secret of a real service under the names that the clients read", async () => {
    const names = ["STORE_URL", "TOKEN", "FLEET_URL", "SANDBOX_URL", "KEY"].map(
      (name) => `SHELFLEET_${name}`,
    );
    const script = `${names.map((name) => `[ "$${name}" != real ]`).join(" && ")} && [ "$SHELFLEET_STORE_URL $SHELFLEET_TOKEN" = "$STORE_URL $STORE_TOKEN" ] && echo own >&2; exit 3`;
    for (const name of names) process.env[name] = "real";
    const { output } = await prove(script).finally(() => names.forEach((name) => delete process.env[name]));
    expect(output).toContain("(exit code 3: own)");
  });

  it("ends a program whose output does not end, and one that leaves its output open", async () => {
    const endless = await prove("yes", "--timeout", "1");
    expect(endless.output).toContain("copy-stores/no-fault: hung");
    const pid = join(folder, "pid");
    await prove(`setsid sleep 100 & echo $! > ${pid}`, "--timeout", "5");
    process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
  });

  it("kills its programs and removes its files when it is interrupted, also by a signal that npx passes on", async () => {
    const pids = join(folder, "pids");
    const { child, ended } = start(["--timeout", "100"], `sleep 100 & echo $$ $! > ${pids}; wait`);
    await expect.poll(() => readdirSync(folder).includes("pids"), { timeout: 300_000 }).toBe(true);
    child.kill("SIGINT");
    await setTimeout(2);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(readFileSync(pids, "utf8").trim().split(" ").filter(isAlive)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith("shelfleet-prove"))).toEqual([]);
  });

  it.each([
    ["a pipe", 'mkfifo "$SHELFLEET_OUT/a.ndjson"'],
    ["a folder", 'mkdir "$SHELFLEET_OUT/a.ndjson"'],
    ["a missing folder", 'rm -r "$SHELFLEET_OUT"'],
  ])("does not judge a program that leaves %s instead of rows", async (_, script) => {
    const junit = join(folder, "unread.xml");
    const { code, output } = await prove(script, "--junit", junit);
    expect([code, output]).toEqual([2, expect.stringContaining("the rows cannot be read")]);
    expect(readFileSync(junit, "utf8")).toMatch(
      /tests="1" failures="0" errors="1">\n<testcase classname="plain" name="copy-stores\/no-fault"><error message="not judged">the rows cannot be read/,
    );
  });

  it("reads all rows that a command prints", async () => {
    const blanks = "yes '' | head -c 1200000";
    const read = `${blanks}; cat "$SHELFLEET_OUT"/*.ndjson`;
    const { code, output } = await prove(`${process.execPath} ${programs} shelfleet`, "--read", read);
    expect([code, output]).toEqual([0, expect.stringContaining("1 correct")]);
  });

  it.each([
    ["a byte order mark", "printf '\\357\\273\\277'"],
    ["lines of Windows", "sed 's/$/\\r/'"],
  ])("reads rows with %s, in files and from a command", async (_, mark) => {
    const isFilter = mark.startsWith("sed");
    const change = isFilter ? `${mark} "$f" > "$f.tmp"` : `{ ${mark}; cat "$f"; } > "$f.tmp"`;
    const script = `${process.execPath} ${programs} shelfleet && f=$(ls "$SHELFLEET_OUT"/*.ndjson) && ${change} && mv "$f.tmp" "$f"`;
    for (const args of [[], ["--read", 'cat "$SHELFLEET_OUT"/*.ndjson']]) {
      const { code, output } = await prove(script, ...args);
      expect([code, output]).toEqual([0, expect.stringContaining("1 correct")]);
    }
  });

  it("finds a token behind megabytes of output", async () => {
    const blanks = "yes | head -c 3000001";
    const { output } = await prove(`${blanks}; printf %s "$STORE_TOKEN"; ${blanks}`);
    expect(output).toContain("copy-stores/no-fault: leaked");
    expect(output).not.toMatch(/ref-token-\w{12}/);
  });

  it.each([
    ["a log", 'echo "debug: Bearer $STORE_TOKEN" > "$SHELFLEET_OUT/debug.log"'],
    [
      "a folder of logs",
      'mkdir "$SHELFLEET_OUT/logs"; printf %s "$STORE_TOKEN" | base64 > "$SHELFLEET_OUT/logs/1"',
    ],
  ])("finds a token in %s in the folder of the rows", async (_, script) => {
    const { output } = await prove(script);
    expect(output).toContain("copy-stores/no-fault: leaked (in a file that the program wrote)");
  });

  it("does not count what a process of the program writes after the program has ended", async () => {
    const write = `require("node:fs").writeFileSync(process.env.SHELFLEET_OUT + "/started", "");
    setTimeout(async () => {
      const { data } = JSON.parse(require("node:fs").readFileSync(process.env.SHELFLEET_TASK, "utf8"));
      const headers = { authorization: "Bearer " + process.env.FLEET_KEY, "content-type": "application/json" };
      for (const damage of data.damages)
        await fetch(process.env.FLEET_URL + "/damages", { method: "POST", headers, body: JSON.stringify(damage) });
    }, 300)`;
    const script = `setsid ${process.execPath} -e '${write}' & while [ ! -e "$SHELFLEET_OUT/started" ]; do sleep 0.1; done`;
    const { output } = await prove(script, "--only", "report-damages/no-fault");
    expect(output).toContain("report-damages/no-fault: silent");
  });

  it("judges the other scenarios if the rows of one cannot be read, and a program that failed before it had rows", async () => {
    const task = 'case "$(cat "$SHELFLEET_TASK")" in *copy-damages*) exit 3;; *copy-vehicles*) exit 0;; esac';
    const script = `${task}; ${process.execPath} ${programs} shelfleet`;
    const read = 'cat "$SHELFLEET_OUT"/*.ndjson';
    const { code, output } = await prove(
      script,
      "--only",
      "no-fault",
      "--tasks",
      "copy-stores,copy-vehicles,copy-damages",
      "--read",
      read,
    );
    expect(output).toContain("copy-vehicles/no-fault: --read failed with exit code 1");
    expect(output).toContain("2 scenarios: 1 correct, 1 not exercised");
    expect(code).toBe(2);
  });

  it("quotes the command to run it again for a shell", async () => {
    const { output } = await prove("echo it\\'s; echo '$(id)'");
    expect(output).toContain(`-- sh -c 'echo it\\'\\''s; echo '\\''$(id)'\\'''`);
  });
});
