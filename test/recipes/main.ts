import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Block, blocks } from "../documentation.ts";
import { installLocked, installPacked } from "../package/packed.ts";

// Writes each block of the guides that names a file into a project with the packed package, and runs it there.

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const chromium = "/usr/bin/chromium"; // as in fixture/playwright.config.ts

/** Milliseconds for one file. */
const PATIENCE = 60_000;

/** The port of the recipes' servers. No system gives ports below 32,768 to other programs by itself. */
const port = String(10_000 + (process.pid % 20_000));

/** The command that runs a file, the program that it needs, and the milliseconds that it may take. */
interface Runner {
  command: string[];
  needs?: string;
  patience?: number;
}

/** Runs an adapter of docs/prove.md in all scenarios of its tasks. */
function prove(tasks: string, program: string): Runner {
  // a busy machine may need longer than the default for a scenario with many requests
  const flags = ["--tasks", tasks, "--timeout", "120"];
  const command = ["node", "node_modules/shelfleet/dist/cli.js", "prove", ...flags, "--", program];
  return { command, needs: program, patience: 600_000 };
}

const vitest: Runner = { command: ["node", "node_modules/vitest/vitest.mjs", "run"] };
const runners: [RegExp, Runner][] = [
  [/^prove-adapter\.mts$/, prove("copy-vehicles,change-stores", "node")],
  [/^prove-adapter\.py$/, prove("copy-vehicles", "python3")],
  [/^prove-adapter\.sh$/, { ...prove("copy-vehicles", "sh"), needs: "sqlite3" }],
  [/\.test\.ts$/, vitest],
  [/\.test\.js$/, { command: ["node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js"] }],
  [/\.node\.ts$/, { command: ["node", "--test"] }],
  [/\.spec\.ts$/, { command: ["node", "node_modules/@playwright/test/cli.js", "test"], needs: chromium }],
  [/\.sh$/, { command: ["bash", "-e"], needs: "curl" }],
  [/\.py$/, { command: ["python3"], needs: "python3" }],
];

/** The recipe with msw, in the form for jest. */
function inJest({ text, ...block }: Block): Block {
  return { ...block, file: "msw-in-jest.test.js", text: text.replace('"vitest"', '"@jest/globals"') };
}

/** The packages that the recipes import: those of this folder, or else the project's dev dependencies. */
function link(project: string): void {
  installLocked(here);
  const [own, others] = [join(here, "node_modules"), join(root, "node_modules")];
  const modules = join(project, "node_modules");
  for (const [from, name] of [
    [own, "jest"],
    [own, "@jest"],
    [own, "@playwright"],
    [others, "vitest"],
    [others, "msw"],
    [others, "@types"],
  ] as const)
    symlinkSync(join(from, name), join(modules, name), "dir");
}

function isMissing(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status !== 0;
}

/** The compiler's errors for the TypeScript recipes, with the declarations of the packed package. */
function typeCheck(project: string, recipes: readonly Block[]): Verdict {
  const files = recipes.map(({ file = "" }) => file).filter((file) => file.endsWith(".ts"));
  const options =
    "--noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions --skipLibCheck --types node".split(
      " ",
    );
  return runCommand(project, "types", [
    "node",
    join(root, "node_modules/typescript/bin/tsc"),
    ...options,
    ...files,
  ]);
}

type Verdict = "ran" | "failed" | "missing";

function tryBlock(project: string, { document, file = "", line }: Block): Verdict {
  const runner = runners.find(([pattern]) => pattern.test(file))?.[1];
  if (runner === undefined) throw new Error(`${document}:${line}: nothing runs ${file}`);
  const { command, needs, patience } = runner;
  if (needs !== undefined && isMissing(needs)) {
    console.log(`MISSING ${needs}: ${file} was not run`);
    return "missing";
  }
  return runCommand(project, file, [...command, file], patience);
}

function runCommand(
  project: string,
  name: string,
  [command = "", ...args]: string[],
  patience = PATIENCE,
): Verdict {
  const begun = performance.now();
  const outcome = spawnSync(command, args, { cwd: project, encoding: "utf8", timeout: patience });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (outcome.status === 0) console.log(`ran     ${name} ${seconds} s`);
  else console.log(`FAILED  ${name} ${seconds} s\n${outputOf(outcome)}`);
  return outcome.status === 0 ? "ran" : "failed";
}

function outputOf({ stdout, stderr, error }: SpawnSyncReturns<string>): string {
  return [error?.message, stdout, stderr].filter(Boolean).join("\n");
}

async function main(): Promise<void> {
  const written = blocks().filter(({ file }) => file !== undefined);
  const recipes = [...written, ...written.filter(({ file }) => file === "msw.test.ts").map(inJest)];
  const project = mkdtempSync(join(tmpdir(), "shelfleet-recipes-"));
  try {
    installPacked(join(here, "fixture"), project);
    link(project);
    for (const { file = "", text } of recipes)
      writeFileSync(join(project, file), text.replaceAll("4010", port));
    const verdicts = [typeCheck(project, recipes), ...recipes.map((recipe) => tryBlock(project, recipe))];
    const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
    console.log(
      `recipes: ${count("ran")} ran, ${count("failed")} failed, ${count("missing")} lack their program`,
    );
    if (count("failed") > 0 || count("ran") === 0) process.exitCode = 1;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

await main();
