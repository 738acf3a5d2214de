import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { install, installLocked, installPacked } from "../package/packed.ts";
import { chromium } from "./chromium.ts";
import { program } from "./javascript-program.ts";
import { type Measured, missingLines, writeTable } from "./table.ts";
import type { BaseUrls, Outcomes, Runtime, Way } from "./runtime.ts";
import { workerd } from "./workerd.ts";

// Packs the package, installs it in an empty project and walks over the reference server on each runtime.

const here = fileURLToPath(new URL(".", import.meta.url));
const { values: requested } = parseArgs({
  options: { write: { type: "boolean" }, only: { type: "string" } },
});

const node = (version: string): Runtime =>
  program({ name: "Node", path: `node-${version}/bin/node` }, { limits: [] });

const runtimes: Runtime[] = [
  node("22.12"),
  node("22"),
  node("24"),
  node("26"),
  program({ name: "Bun", path: "@oven/bun-linux-x64/bin/bun" }, { limits: ["msw", "node"] }),
  program(
    { name: "Deno", path: ".bin/deno", args: ["run", "-A", "--node-modules-dir=manual", "--no-lock"] },
    { limits: ["msw"] },
  ),
  workerd,
  chromium,
];

interface Service extends BaseUrls {
  close: () => Promise<void>;
}

/** The packed tarball beside each version of msw. */
interface Projects {
  withMsw2: string;
  withMsw3: string;
}

/** A separate reference server for each runtime, so that writes do not affect the others. */
async function startService(project: string): Promise<Service> {
  const address = pathToFileURL(join(project, "service.mjs")).href;
  const { startService: start } = (await import(address)) as { startService: () => Promise<Service> };
  return start();
}

async function walkIn(project: string, runtime: Runtime): Promise<Outcomes> {
  const service = await startService(project);
  try {
    const { storeUrl, fleetUrl } = service;
    return await runtime.walk({ project, baseUrls: { storeUrl, fleetUrl } });
  } finally {
    await service.close();
  }
}

async function measure(runtime: Runtime, version: string, projects: Projects): Promise<Measured> {
  const outcomes = await walkIn(projects.withMsw3, runtime);
  const { msw, ...others } = await walkIn(projects.withMsw2, runtime);
  const differing = Object.entries(others).find(([way, wrong]) => wrong !== outcomes[way as Way]);
  if (differing !== undefined) throw new Error(`${differing[0]}, beside msw 2: ${differing[1] ?? "works"}`);
  return { runtime, version, outcomes: { ...outcomes, ...(msw !== undefined && { msw2: msw }) } };
}

/** The differences from the known results. */
function differences({ runtime, outcomes }: Measured): string[] {
  return runtime.ways.flatMap((way) => {
    const failed = outcomes[way] !== null;
    if (failed && !runtime.limits.includes(way)) return [`${way}: ${outcomes[way] ?? "was not tried"}`];
    if (!failed && runtime.limits.includes(way)) return [`${way}: works, although it is among the limits`];
    return [];
  });
}

const firstLine = (error: unknown): string => String(error).split("\n", 1)[0] ?? "";

async function versionOf(runtime: Runtime): Promise<string | undefined> {
  try {
    return await runtime.version();
  } catch (error) {
    console.error(`MISSING ${runtime.name}: ${firstLine(error)}`);
    return undefined;
  }
}

/** The measurement if the runtime exists and has the known results. */
async function tryRuntime(runtime: Runtime, projects: Projects): Promise<Measured | undefined> {
  const version = await versionOf(runtime);
  if (version === undefined) return undefined;
  const began = performance.now();
  const name = `${runtime.name} ${version}`;
  try {
    const measured = await measure(runtime, version, projects);
    const wrong = differences(measured);
    for (const line of wrong) console.error(`FAILED  ${name}: ${line}`);
    if (wrong.length > 0) return undefined;
    console.log(`ok      ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
    return measured;
  } catch (error) {
    console.error(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function settle(measured: Measured[], due: number): void {
  console.log(`${measured.length} of ${due} runtimes walked`);
  if (measured.length < due) process.exitCode = 1;
  else if (requested.write === true && due === runtimes.length) writeTable(measured);
  const differing = missingLines(measured);
  for (const line of differing) console.error(`docs/runtimes.md lacks ${line}`);
  if (differing.length > 0) process.exitCode = 1;
}

/** The versions of the other tests. */
function versions(): { msw: string; msw2: string; undici7: string } {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { devDependencies: ReturnType<typeof versions> }).devDependencies;
}

function makeProjects(folder: string): Projects {
  const projects = { withMsw3: join(folder, "msw-3"), withMsw2: join(folder, "msw-2") };
  const { msw, msw2, undici7 } = versions();
  mkdirSync(projects.withMsw3);
  installPacked(join(here, "fixture"), projects.withMsw3, `msw@${msw}`, undici7.replace("npm:", "")); // undici 8 needs Node.js 22.19
  cpSync(projects.withMsw3, projects.withMsw2, { recursive: true, verbatimSymlinks: true });
  install(projects.withMsw2, msw2.replace("npm:", ""));
  return projects;
}

const folder = mkdtempSync(join(tmpdir(), "shelfleet-"));
try {
  installLocked(here);
  const projects = makeProjects(folder);
  const due = runtimes.filter(({ name }) => requested.only?.split(",").includes(name.toLowerCase()) ?? true);
  const measured: Measured[] = [];
  for (const runtime of due) {
    const one = await tryRuntime(runtime, projects);
    if (one !== undefined) measured.push(one);
  }
  settle(measured, due.length);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
