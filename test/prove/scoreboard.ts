import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
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

const clients = path("../../bench/generated");
const bundle = `${clients}/prove/main.js`;
const node = (name: string): string[] => [process.execPath, bundle, name];

const PYTHON = "/usr/bin/python3"; // Debian's, with its packages

const contenders: readonly Contender[] = [
  {
    name: "shelfleet",
    settings: '`timeout`, `totalTimeout`, `validate: "full"`, `verify`, `maxIdleRequests`, `modify`',
    version: () => versionOf("../../package.json"),
    command: node("shelfleet"),
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
    version: () =>
      `${versionOf("../../node_modules/openapi-fetch/package.json")} + ${versionOf("../../node_modules/ky/package.json")}`,
    command: node("openapi-fetch"),
  },
  {
    name: "hey-api",
    settings: "client-fetch with a time limit in `fetch`; it has no retries",
    version: () => versionOf("../../bench/node_modules/@hey-api/openapi-ts/package.json"),
    command: node("hey-api"),
  },
  {
    name: "Redocly CLI, generated client",
    settings: "`timeout`, `retry`, pagination where its generator accepts it",
    version: () => versionOf("../../node_modules/@redocly/cli/package.json"),
    command: node("redocly"),
  },
  {
    name: "Python, requests + tenacity",
    settings: "`timeout`, tenacity for GET, PUT and DELETE",
    version: () =>
      run(PYTHON, [
        "-c",
        "import requests, importlib.metadata as m; print(requests.__version__, '+', m.version('tenacity'))",
      ]),
    command: [PYTHON, path("programs/sync.py")],
  },
  {
    name: "shell, curl + jq",
    settings: "`--max-time`, `--retry` for GET, `--fail`; six tasks only",
    version: () => `${run("curl", ["--version"]).split(" ")[1] ?? ""} + ${run("jq", ["--version"])}`,
    command: [path("programs/sync.sh")],
    tasks: "copy-stores,copy-vehicles,copy-damages,report-damages,change-vehicles,change-stores",
  },
];

function versionOf(manifest: string): string {
  return (JSON.parse(readFileSync(path(manifest), "utf8")) as { version: string }).version;
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
];

interface Result extends Contender {
  readonly reports: readonly Report[];
}

function table(results: readonly Result[]): string {
  const head = ["client", "version", "scenarios", ...columns];
  const rows = results.map(({ name, version, reports }) => {
    const counted = reports.filter(({ verdict }) => verdict !== "does not count");
    const counts = columns.map((column) => counted.filter(({ verdict }) => verdict === column).length);
    return [name, version(), counted.length, ...counts].join(" | ");
  });
  const rule = head.map((_, index) => (index < 2 ? "---" : "--:")).join("|");
  const settings = results.map((result) => `- ${result.name}: ${result.settings}`);
  return [
    `| ${head.join(" | ")} |`,
    `|${rule}|`,
    ...rows.map((row) => `| ${row} |`),
    "",
    ...settings,
    "",
    ...onlyOurs(results),
    "",
  ].join("\n");
}

/** Names the events in whose scenarios no other client passes: they may favor shelfleet's design. */
function onlyOurs([ours, ...others]: readonly Result[]): string[] {
  const passed = (ours?.reports ?? []).filter(
    ({ isPass, verdict }) => isPass && verdict !== "does not count",
  );
  const alone = passed.filter(({ scenario }) =>
    others.every(({ reports }) => reports.find((report) => report.scenario === scenario)?.isPass !== true),
  );
  const events = alone.map(({ scenario }) => scenario.replace(/^[^/]*\//, ""));
  const names = [...new Set(events)].map(
    (event) => `\`${event}\` (${events.filter((other) => other === event).length})`,
  );
  return [`Only shelfleet passes ${alone.length} scenarios: ${names.join(", ")}.`];
}

function rewrite(guide: string, change: (text: string) => string): void {
  const file = path(`../../docs/${guide}.md`);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

rewrite("scenarios", replaceScenarioList);
if (!process.argv.includes("--list")) {
  process.env["PROVE_CLIENTS"] = clients;
  spawnSync(process.execPath, [path("../../bench/generate.ts")], { stdio: "inherit" });
  await generateRedocly();
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
