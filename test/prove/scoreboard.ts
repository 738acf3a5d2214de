import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "../../src/prove/index.ts";
import { outcomes } from "../../src/prove/report.ts";
import { namesOf } from "../../src/wire/names.ts";
import { build } from "esbuild";
import { bundlePrograms, publishedCommand } from "./bundle.ts";
import { generateHeyApi } from "./hey-api-client.ts";
import { readmeLines } from "./programs/readme.ts";
import { generateRedocly } from "./redocly-client.ts";
import { replaceScenarioList } from "./scenario-list.ts";

// Runs the same tasks with several clients under `shelfleet prove`, and writes the table into docs/prove.md. The programs for
// Node are bundled, as a user ships them, over the built package: npm run build comes first. A client whose
// Debian packages are missing keeps its row, and the list below the table says so; then the exit code is 1.
// Always writes the list of scenarios into docs/scenarios.md; with --list nothing else.

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const clients = mkdtempSync(join(tmpdir(), "prove-clients-"));

interface Contender {
  readonly client: string;
  readonly settings: string;
  /** Returns the versions of its programs. It fails if one is not installed. */
  readonly version: () => string;
  readonly command: readonly string[];
  readonly tasks?: string;
  /** Its packages of Debian. */
  readonly packages?: string;
}

const SIX_TASKS = "copy-stores,copy-vehicles,copy-damages,report-damages,change-vehicles,change-stores";
const PYTHON = "/usr/bin/python3"; // Debian's, with its packages
const PYTHON_PACKAGES =
  "import requests, importlib.metadata as m; print(requests.__version__, '+', m.version('tenacity'))";

const contenders: readonly Contender[] = [
  {
    client: "shelfleet, the guides",
    settings:
      "the lines of the guides for each task, word for word; only URLs, secrets and limits of time differ",
    ...inNode("guides", "../.."),
  },
  {
    client: "shelfleet, README",
    settings: "the lines of README and of the skill, word for word, without a look at the results; ten tasks",
    ...inNode("readme", "../.."),
    tasks: Object.keys(readmeLines).join(","),
  },
  {
    client: "shelfleet, the guides over ky",
    settings: "the guides, with `fetch: ky.create({ throwHttpErrors: false, retry: 0, timeout: false })`",
    ...inNode("guides-ky", "../..", "../../node_modules/ky"),
  },
  {
    client: "`fetch`",
    settings: "`AbortSignal.timeout`, three attempts of GET, PUT and DELETE",
    ...inNode("fetch"),
    version: () => `Node ${process.versions.node}`,
  },
  {
    client: "openapi-fetch + ky",
    settings: "`timeout`, `retry` with `Retry-After`",
    ...inNode("openapi-fetch", "../../node_modules/openapi-fetch", "../../node_modules/ky"),
  },
  {
    client: "openapi-fetch + ky, by an expert",
    settings:
      "bodies read within the time limit, schemas of the contract, lists read until two passes agree with their total",
    ...inNode("expert"),
    version: () => "the same",
  },
  {
    client: "hey-api, generated client",
    settings: "`AbortSignal.timeout`; it has no retry and no pagination",
    ...inNode("hey-api", "../foreign/node_modules/@hey-api/openapi-ts"),
  },
  {
    client: "Redocly CLI, generated client",
    settings: "`timeout`, `retry`, pagination where its generator accepts it",
    ...inNode("redocly", "../../node_modules/@redocly/cli"),
  },
  {
    client: "Python, requests + tenacity",
    settings: "`timeout`, tenacity for GET, PUT and DELETE",
    version: () => run(PYTHON, "-c", PYTHON_PACKAGES),
    command: [PYTHON, path("programs/sync.py")],
    packages: "python3-requests python3-tenacity",
  },
  {
    client: "shell, curl + jq",
    settings: "`--max-time`, `--retry` for GET, `--fail`; six tasks only",
    version: () => `${run("curl", "--version").split(" ")[1]} + ${run("jq", "--version")}`,
    command: [path("programs/sync.sh")],
    tasks: SIX_TASKS,
    packages: "curl jq",
  },
  {
    client: "Perl, HTTP::Tiny",
    settings: "`timeout`, three attempts of GET and PUT; six tasks only",
    version: () => run("perl", "-MHTTP::Tiny", "-MJSON::PP", "-e", "print HTTP::Tiny->VERSION"),
    command: ["perl", path("programs/sync.pl")],
    tasks: SIX_TASKS,
    packages: "perl",
  },
];

/** A bundled program of `programs/main.ts`, and the packages whose versions are shown. */
function inNode(name: string, ...packages: readonly string[]): Pick<Contender, "command" | "version"> {
  const versionOf = (folder: string): string =>
    (JSON.parse(readFileSync(path(`${folder}/package.json`), "utf8")) as { version: string }).version;
  return {
    command: [process.execPath, join(clients, "main.mjs"), name],
    version: () => packages.map(versionOf).join(" + "),
  };
}

function run(file: string, ...args: readonly string[]): string {
  return execFileSync(file, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

/** What a run says about a client; without reports if it was not measured. */
interface Result {
  readonly contender: Contender;
  readonly version: string;
  readonly reports: readonly Report[];
}

function prove(contender: Contender): Result {
  const { client, command, tasks, packages } = contender;
  const version = readVersion(contender);
  if (version === undefined) {
    console.error(`${client}: NOT MEASURED, its row is an older one: apt-get install ${packages}`);
    process.exitCode = 1;
    return { contender, version: "", reports: [] };
  }
  const flags = ["--json", ...(tasks === undefined ? [] : ["--tasks", tasks])];
  const args = [publishedCommand, "prove", ...flags, "--", ...command];
  const start = performance.now();
  // it exits with 1 if a scenario failed
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1e9 });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const reports = JSON.parse(stdout) as Report[];
  const passed = reports.filter(({ isPass }) => isPass).length;
  console.log(`${client}: ${passed} of ${reports.length} pass, in ${seconds} s`);
  return { contender, version, reports };
}

/** Returns the versions of a client, or nothing if a package of Debian is missing. */
function readVersion({ version, packages }: Contender): string | undefined {
  try {
    return version();
  } catch (error) {
    if (packages === undefined) throw error;
    return undefined;
  }
}

const columns: Readonly<Record<string, (result: Result) => string | number>> = {
  client: ({ contender }) => contender.client,
  version: ({ version }) => version,
  scenarios: ({ reports }) => reports.length,
  ...Object.fromEntries(
    namesOf(outcomes)
      .filter((verdict) => verdict !== "not judged")
      .map((verdict) => [verdict, ({ reports }: Result) => withVerdict(reports, verdict).length]),
  ),
};

function withVerdict(reports: readonly Report[], wanted: string): readonly Report[] {
  return reports.filter(({ verdict }) => verdict === wanted);
}

/** Returns the table, with the rows of `before` for clients that were not measured. */
function table(results: readonly Result[], before: string): string {
  const line = (cells: readonly unknown[]) => `| ${cells.join(" | ")} |`;
  const olderRow = (client: string) => before.split("\n").filter((row) => row.startsWith(`| ${client} |`));
  const names = Object.keys(columns);
  return [
    line(names),
    `|${names.map((_, index) => (index < 2 ? "---" : "--:")).join("|")}|`,
    ...results.flatMap((result) =>
      result.reports.length === 0
        ? olderRow(result.contender.client)
        : [line(Object.values(columns).map((column) => column(result)))],
    ),
    "",
    ...results.map(({ contender: { client, settings, packages }, reports }) => {
      const note = `; not measured in the last run, because \`${packages}\` were missing`;
      return `- ${client}: ${settings}${reports.length === 0 ? note : ""}`;
    }),
    "",
  ].join("\n");
}

function rewrite(guide: string, change: (text: string) => string): void {
  const file = path(`../../docs/${guide}.md`);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

/** Returns the results of all clients. */
async function proveAll(): Promise<readonly Result[]> {
  const options = { format: "esm", outdir: clients, logLevel: "error" } as const;
  await build({
    ...options,
    entryPoints: (["store", "fleet"] as const).map((api) => generateRedocly(api, clients)),
  });
  await build({
    ...options,
    bundle: true,
    entryPoints: (["store", "fleet"] as const).map((api) => generateHeyApi(api, clients)),
  });
  await bundlePrograms(clients);
  process.env["PROVE_CLIENTS"] = clients;
  return contenders.map(prove);
}

rewrite("scenarios", replaceScenarioList);
if (!process.argv.includes("--list")) {
  const results = await proveAll();
  const marks = /(<!-- scoreboard: begin[^>]*-->\n)([^]*?)(<!-- scoreboard: end -->)/;
  rewrite("prove", (text) =>
    text.replace(
      marks,
      (_, begin: string, before: string, end: string) => `${begin}${table(results, before)}${end}`,
    ),
  );
  for (const { scenario, verdict } of results[0]?.reports.filter(({ isPass }) => !isPass) ?? []) {
    console.error(`shelfleet fails ${scenario}: ${verdict}`);
    process.exitCode = 1;
  }
}
rmSync(clients, { recursive: true });
