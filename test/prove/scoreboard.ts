import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report, Verdict } from "../../src/prove/index.ts";
import { build } from "esbuild";
import { generateRedocly } from "./generate-redocly.ts";
import { replaceScenarioList } from "./scenario-list.ts";

// Runs the same tasks with several clients under `shelfleet prove`, and writes the table into docs/prove.md.
// Always writes the list of scenarios into docs/scenarios.md; with --list nothing else.

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface Contender {
  readonly name: string;
  readonly settings: string;
  readonly version: () => string;
  readonly command: readonly string[];
  readonly tasks?: string;
}

const clients = mkdtempSync(join(tmpdir(), "prove-clients-"));
const bundle = `${clients}/main.js`;
const node = (name: string): string[] => [process.execPath, bundle, name];

const SIX_TASKS = "copy-stores,copy-vehicles,copy-damages,report-damages,change-vehicles,change-stores";

const PYTHON = "/usr/bin/python3"; // Debian's, with its packages

const contenders: readonly Contender[] = [
  {
    name: "shelfleet",
    settings: '`timeout`, `totalTimeout`, `validate: "full"`, `verify`, `maxIdleRequests`, `modify`',
    version: () => versionOf("shelfleet"),
    command: node("shelfleet"),
  },
  {
    name: "shelfleet over ky",
    settings: "the same, with `fetch: ky.create({ throwHttpErrors: false, retry: 0, timeout: false })`",
    version: () => `${versionOf("shelfleet")} + ${versionOf("ky")}`,
    command: node("shelfleet-ky"),
  },
  {
    name: "`fetch`",
    settings: "`AbortSignal.timeout`, three attempts of GET, PUT and DELETE",
    version: () => `Node ${process.versions.node}`,
    command: node("fetch"),
  },
  {
    name: "openapi-fetch + ky",
    settings: "`timeout`, `retry` with `Retry-After`",
    version: () => `${versionOf("openapi-fetch")} + ${versionOf("ky")}`,
    command: node("openapi-fetch"),
  },
  {
    name: "openapi-fetch + ky, by an expert",
    settings:
      "bodies read within the time limit, schemas of the contract, lists read until two passes agree with their total",
    version: () => "the same",
    command: node("expert"),
  },
  {
    name: "Redocly CLI, generated client",
    settings: "`timeout`, `retry`, pagination where its generator accepts it",
    version: () => versionOf("@redocly/cli"),
    command: node("redocly"),
  },
  {
    name: "Python, requests + tenacity",
    settings: "`timeout`, tenacity for GET, PUT and DELETE",
    version() {
      const script =
        "import requests, importlib.metadata as m; print(requests.__version__, '+', m.version('tenacity'))";
      return run(PYTHON, ["-c", script]);
    },
    command: [PYTHON, path("programs/sync.py")],
  },
  {
    name: "shell, curl + jq",
    settings: "`--max-time`, `--retry` for GET, `--fail`; six tasks only",
    version: () => `${run("curl", ["--version"]).split(" ")[1] ?? ""} + ${run("jq", ["--version"])}`,
    command: [path("programs/sync.sh")],
    tasks: SIX_TASKS,
  },
  {
    name: "Perl, HTTP::Tiny",
    settings: "`timeout`, three attempts of GET and PUT; six tasks only",
    version: () => run("perl", ["-MHTTP::Tiny", "-e", "print HTTP::Tiny->VERSION"]),
    command: ["perl", path("programs/sync.pl")],
    tasks: SIX_TASKS,
  },
];

/** Returns the version of a package, or of this one. */
function versionOf(name: string): string {
  const manifest = path(
    name === "shelfleet" ? "../../package.json" : `../../node_modules/${name}/package.json`,
  );
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}

function run(file: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: "utf8", maxBuffer: 1e9 });
  if (stdout === "" || status === null) throw new Error(`${file} ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

function prove({ command, tasks }: Contender): Report[] {
  const flags = ["--json", ...(tasks === undefined ? [] : ["--tasks", tasks])];
  return JSON.parse(
    run(process.execPath, [path("../../src/cli/main.ts"), "prove", ...flags, "--", ...command]),
  ) as Report[];
}

const columns: readonly Verdict[] = [
  "correct",
  "loud",
  "silent",
  "hung",
  "harmful",
  "leaked",
  "hammered",
  "not exercised",
  "unnoticeable",
];

interface Result extends Contender {
  readonly reports: readonly Report[];
}

function table(results: readonly Result[]): string {
  const head = ["client", "version", "scenarios", ...columns];
  const rows = results.map(({ name, version, reports }) => {
    const counted = reports.filter(({ verdict }) => verdict !== "does not count");
    const counts = columns.map((column) => counted.filter(({ verdict }) => verdict === column).length);
    return [name, version(), counted.length, ...counts];
  });
  const rule = head.map((_, index) => (index < 2 ? "---" : "--:")).join("|");
  const line = (cells: readonly unknown[]) => `| ${cells.join(" | ")} |`;
  const settings = results.map((result) => `- ${result.name}: ${result.settings}`);
  return [line(head), `|${rule}|`, ...rows.map(line), "", ...settings, "", ...betterOthers(results), ""].join(
    "\n",
  );
}

/** Names the events in whose scenarios another client is right, and shelfleet is not. */
function betterOthers([ours, ...others]: readonly Result[]): string[] {
  const correct = (results: readonly (Result | undefined)[]) =>
    results.flatMap((result) => (result?.reports ?? []).filter(({ verdict }) => verdict === "correct"));
  const own = new Set(correct([ours]).map(({ scenario }) => scenario));
  const better = correct(others).filter(({ scenario }) => !own.has(scenario));
  const events = new Set(better.map(({ scenario }) => `\`${scenario.replace(/^[^/]*\//, "")}\``));
  return [`Another client is correct where shelfleet stops: ${[...events].join(", ")}.`];
}

function rewrite(guide: string, change: (text: string) => string): void {
  const file = path(`../../docs/${guide}.md`);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

rewrite("scenarios", replaceScenarioList);
if (!process.argv.includes("--list")) {
  for (const { version } of contenders) version(); // fails at once if a program is not installed
  process.env["PROVE_CLIENTS"] = clients;
  await generateRedocly(clients);
  await build({
    entryPoints: [path("programs/main.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const results = contenders.map((contender) => {
    const reports = prove(contender);
    console.log(
      `${contender.name}: ${reports.filter(({ isPass }) => isPass).length} of ${reports.length} pass`,
    );
    return { ...contender, reports };
  });
  const marks = /(<!-- scoreboard: begin[^>]*-->\n)[^]*?(<!-- scoreboard: end -->)/;
  rewrite("prove", (text) =>
    text.replace(marks, (_, begin: string, end: string) => `${begin}${table(results)}${end}`),
  );
  const silent = results[0]?.reports.filter(({ isPass }) => !isPass) ?? [];
  for (const { scenario, verdict } of silent) console.error(`shelfleet fails ${scenario}: ${verdict}`);
  if (silent.length > 0) process.exitCode = 1;
}
rmSync(clients, { recursive: true });
