import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { run as runIn } from "./command.ts";
import { findDefinitions } from "./definitions.ts";
import { installLocked, installPacked } from "./packed.ts";

// Packs the package as it would be published, installs it in an empty project and uses it there.

const here = fileURLToPath(new URL(".", import.meta.url));
const rootModules = join(here, "../../node_modules");
const project = mkdtempSync(join(tmpdir(), "shelfleet-"));
const installed = join(project, "node_modules/shelfleet");

const examples = globSync("{*,sync-to-sqlite/main,demo/main}.ts", {
  cwd: join(here, "../../examples"),
});

const compilers = ["5.8", "5.9", "6", "7"];
const resolutions = { nodenext: "nodenext", node20: "node16", bundler: "bundler", node10: "node10" };
const emitted = {
  types: [],
  declaration: true,
  noEmit: false,
  emitDeclarationOnly: true,
  outDir: "declarations",
};
const platforms = {
  // these two check every declaration, and a module resolution does not change what a declaration says
  browser: { files: ["browser.ts"], types: [], skipLibCheck: false },
  noDom: { files: ["no-dom.ts"], types: ["node"], lib: ["es2023"], skipLibCheck: false },
  // in each module resolution
  node: { ...emitted, files: ["browser.ts", "node.ts", "require.cts"], types: ["node"] },
  // checked as strictly as the package itself
  examples: {
    files: examples,
    types: ["node"],
    lib: ["es2023", "dom", "dom.iterable"],
    noUncheckedIndexedAccess: true,
    // as Node runs them
    allowImportingTsExtensions: true,
  },
  // the entries export a name for each type in the declarations of a consumer
  declarations: { ...emitted, files: ["declarations.ts"] },
  // also if it imports the main entry only, which exports less than those of one API
  mainEntry: { ...emitted, files: ["main-entry.ts"] },
};

function run(command: string, args: string[]): void {
  runIn(command, args, project);
}

/** The rest has to work before these are there: msw and undici are optional peers, and a browser has no types of Node. */
function addForNode(): void {
  for (const name of ["msw", "undici", "@opentelemetry", "@types"]) {
    symlinkSync(join(rootModules, name), join(project, "node_modules", name), "dir");
  }
}

/** Checks every declaration with the types of another Node; the others are checked with those of the project. */
function typeCheckWithNode(version: string): void {
  const types = join(project, "node_modules/@types");
  rmSync(types, { recursive: true });
  mkdirSync(types);
  const installedTypes = join(here, "node_modules", `node-types-${version}`);
  symlinkSync(installedTypes, join(types, "node"), "dir");
  // reads every declaration
  typeCheck("5.9", "noDom");
}

/** The file of a command is loaded only when it runs. */
function runCommands(): void {
  const program = join(project, "node_modules/.bin/shelfleet");
  const packed = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { version: string };
  const printed = runIn(program, ["--version"], project);
  if (printed !== `${packed.version}\n`) throw new Error(`--version printed ${printed}`);
  for (const command of ["", "mock", "prove"]) run(program, [command, "--help"].filter(Boolean));
}

/** Copies the examples of the tarball beside the installed package. */
function copyExamples(): void {
  for (const name of ["csv-parse", "ky", "vitest"])
    symlinkSync(join(rootModules, name), join(project, "node_modules", name), "dir");
  cpSync(join(installed, "examples"), project, { recursive: true });
  // a file of which no line is wrong
  writeFileSync(join(project, "right.csv"), "externalId;name\nK-001;Dworzec Centralny\n");
}

function runExamples(): void {
  for (const name of examples)
    if (name === "sync-to-sqlite/main.ts") run(process.execPath, [name, "--help"]);
    else if (name === "consumer.test.ts")
      run(process.execPath, [join(project, "node_modules/vitest/vitest.mjs"), "run", name]);
    else run(process.execPath, name === "upsert-from-csv.ts" ? [name, "right.csv"] : [name]);
}

function compilerOf(version: string): string {
  return join(here, "node_modules", `typescript-${version}`);
}

function typeCheck(
  version: string,
  platform: keyof typeof platforms,
  names: readonly (keyof typeof resolutions)[] = ["nodenext"],
): void {
  const { files, ...options } = platforms[platform];
  for (const resolution of names) {
    const moduleResolution = resolutions[resolution];
    const config = {
      compilerOptions: {
        target: "es2022",
        lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
        // a bundler takes both kinds of import as they are written
        module: { bundler: "preserve", node10: "es2022" }[resolution as string] ?? resolution,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        skipLibCheck: true,
        ...options,
      },
      files,
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
    run(process.execPath, [join(compilerOf(version), "bin/tsc"), "-p", project]);
  }
}

/** Go-to-definition lands in readable source only if that source is in the package. */
function followMaps(): void {
  const maps = globSync("dist/**/*.map", { cwd: installed });
  for (const map of maps) {
    const { sources } = JSON.parse(readFileSync(join(installed, map), "utf8")) as { sources: string[] };
    const missing = sources.find((source) => !existsSync(resolve(installed, dirname(map), source)));
    if (missing !== undefined) throw new Error(`${map} names ${missing}, which is not in the package`);
  }
  if (maps.length === 0) throw new Error("the package has no source maps");
}

/** Where go-to-definition has to land: the text in `browser.ts`, the file, what its line says. */
const definitionSites: [string, RegExp, RegExp][] = [
  ["StoreClient }", /\/src\/client\/store\/client\.ts$/, /^export class StoreClient\b/],
  ["FleetClient,", /\/src\/client\/fleet\/client\.ts$/, /^export class FleetClient\b/],
  ["list({", /\/src\/client\/store\/stores\.ts$/, /^ {2}readonly list = \(/],
  ["get(", /\/src\/client\/fleet\/vehicles\.ts$/, /^ {2}readonly get = \(/],
  ["ApiError,", /\/src\/client\/errors\.ts$/, /^export class ApiError\b/],
  // the package has no sources of the reference server, and none that are generated
  [
    "createReferenceServer,",
    /\/dist\/(?:mock|shared\/index)\.d\.ts$/,
    /^declare function createReferenceServer\(/,
  ],
  ["zVehicle.", /\/dist\/fleet\/schemas\.d\.ts$/, /^declare const zVehicle\b/],
  ["Store,", /\/dist\/shared\/store\.d\.ts$/, /^interface Store\b/],
];

async function goToDefinitions(version: string): Promise<void> {
  const names = definitionSites.map(([name]) => name);
  const all = await findDefinitions(compilerOf(version), join(project, "browser.ts"), names);
  for (const [index, [, file, line]] of definitionSites.entries()) {
    const one = all[index];
    if (one && one.file.startsWith(installed) && file.test(one.file) && line.test(one.text)) continue;
    throw new Error(`go-to-definition of ${one?.name} lands in ${one?.file}: ${one?.text}`);
  }
}

/** Schemas of other libraries than zod are shapes of the clients. */
function runShapes(): void {
  for (const name of ["arktype", "valibot"])
    symlinkSync(join(here, "node_modules", name), join(project, "node_modules", name), "dir");
  run("node", ["shapes.mjs"]);
}

/**
 * npm puts the zod of the package below it, because the project has another one. The project is a new one: in that of the other
 * steps npm would install into the packages of the root, to which they have linked.
 */
function runWithOtherZods(): void {
  const other = mkdtempSync(join(tmpdir(), "shelfleet-zod-"));
  try {
    installPacked(join(here, "fixture"), other, "zod@3.25.76");
    runIn("node", ["two-zods.mjs"], other);
    for (const folder of ["zod", "shelfleet/node_modules/zod"])
      rmSync(join(other, "node_modules", folder), { recursive: true, force: true });
    runIn("node", ["no-zod.mjs"], other);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
}

const steps: [string, () => void | Promise<void>][] = [
  ["has the compilers", () => installLocked(here)],
  ["installs in an empty project", () => installPacked(join(here, "fixture"), project)],
  ["imports without msw and undici", () => run("node", ["import.mjs"])],
  ["loads with require() without msw", () => run("node", ["require.cjs"])],
  ["holds the sources of its maps", followMaps],
  // each compiler also checks the declarations without the DOM library
  ...["5.8", "7"].flatMap((version): typeof steps => [
    [`TypeScript ${version}: declarations of a consumer`, () => typeCheck(version, "declarations")],
    [`TypeScript ${version}: declarations over the main entry`, () => typeCheck(version, "mainEntry")],
    // its configuration is that of go-to-definition
    [`TypeScript ${version}: types without those of Node`, () => typeCheck(version, "browser")],
    [`TypeScript ${version}: go-to-definition lands in what is readable`, () => goToDefinitions(version)],
  ]),
  ["TypeScript 5.9: types without `exports`", () => typeCheck("5.9", "mainEntry", ["node10"])],
  ["gets msw, undici and the types of Node", addForNode],
  ["imports with msw", () => run("node", ["import-msw.mjs"])],
  ["imports with undici", () => run("node", ["import-undici.mjs"])],
  ...compilers.map((version): (typeof steps)[number] => [
    `TypeScript ${version}: types with those of Node, import and require()`,
    () => typeCheck(version, "node"),
  ]),
  // `lint:package` also tries each resolution, with the compiler of another version
  [
    "TypeScript 7: types in the other module resolutions",
    () => typeCheck("7", "node", ["node20", "bundler"]),
  ],
  ...compilers.map((version): (typeof steps)[number] => [
    `TypeScript ${version}: types without the DOM library`,
    () => typeCheck(version, "noDom"),
  ]),
  ...["22", "26"].map((version): (typeof steps)[number] => [
    `TypeScript 5.9: with the types of Node ${version}, without the DOM library`,
    () => typeCheckWithNode(version),
  ]),
  ["runs each of its commands", runCommands],
  ["has its examples", copyExamples],
  ["TypeScript 7: types of its examples", () => typeCheck("7", "examples")],
  ["runs its examples in a folder of their own", runExamples],
  ["takes schemas of arktype and valibot as shapes", runShapes],
  ["works beside another version of zod, and without one", runWithOtherZods],
];

try {
  for (const [name, step] of steps) {
    const began = performance.now();
    await step();
    console.log(`ok ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}
