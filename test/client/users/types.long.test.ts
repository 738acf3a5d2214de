// Kind 8: types that a consumer's own declarations can name, and options that may be undefined.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { entrySources } from "../../../build/entry-sources.ts";
import { operationsOf } from "../../operations/operations.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const fixture = join(root, "test/package/fixture/declarations.ts");
const folder = mkdtempSync(join(tmpdir(), "declarations-"));

/** Compiles a project; returns what the compiler prints. */
async function compile(project: string): Promise<string> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [tsc, "-p", project]);
  return run.then(({ stdout }) => stdout).catch((error: unknown) => (error as { stdout: string }).stdout);
}

beforeAll(async () => {
  const installed = join(folder, "node_modules/shelfleet");
  mkdirSync(installed, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"));
  const exports = Object.fromEntries(
    Object.entries(entrySources).map(([name, source]) => [
      name === "index" ? "." : `./${name}`,
      { types: `./types/${source}.d.ts` },
    ]),
  );
  writeFileSync(
    join(installed, "package.json"),
    JSON.stringify({ name: "shelfleet", type: "module", exports }),
  );
  const project = {
    extends: join(root, "build/tsconfig.json"),
    compilerOptions: {
      rootDir: root,
      outDir: join(installed, "types"),
      declarationMap: false,
      noCheck: true,
    },
    include: [],
    files: Object.values(entrySources).map((source) => join(root, `${source}.ts`)),
  };
  writeFileSync(join(folder, "tsconfig.build.json"), JSON.stringify(project));
  await compile(join(folder, "tsconfig.build.json"));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Compiles a consumer's file with strict options. */
function compileConsumer(name: string, options: object): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    types: [],
    ...options,
  };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  return compile(join(folder, `${name}.json`));
}

const operations = [...operationsOf("store"), ...operationsOf("fleet")];

it("the fixture calls the method of each operation", () => {
  const text = readFileSync(fixture, "utf8");
  const methods = operations.map(({ api, client }) => `${api}.${client.resource}.${client.name}(`);
  expect(methods.filter((method) => !text.includes(method))).toEqual([]);
});

it("the results of all public methods can be exported with declaration: true", async () => {
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  // with a raw request of each operation
  const raw = operations.map(
    ({ api, id, method, path }) =>
      `export const ${id} = () => ${api}.http.${method}("${path}", {} as never);`,
  );
  writeFileSync(
    join(folder, "declarations.ts"),
    `${readFileSync(fixture, "utf8")}${raw.join("\n")}
export const hooks = openTelemetry();
import { openTelemetry } from "shelfleet/opentelemetry";
`,
  );
  const options = { declaration: true, emitDeclarationOnly: true, outDir: "out" };
  expect(await compileConsumer("declarations", options)).toBe("");
});

/** The types of options, by the entry that exports them. */
const optionTypes: Record<string, string> = {
  "shelfleet/store":
    "CallOptions RetryOptions ClientOptions StoreClientOptions TokenBucketOptions Hooks Limiter ListQuery ToArrayOptions " +
    "PrefetchOptions StoreShapes StoreListQuery ProtocolListQuery PhotoListQuery FillRatesQuery RateQuery " +
    "StoreFillRatesQuery StoreUpsert ContactInput ExpositionInput",
  "shelfleet/fleet":
    "FleetSettings TemplateFilters NumberedQuery ConcurrencyOptions FleetShapes PageQuery VehicleFieldQuery " +
    "FieldVehicleQuery InspectionTemplateQuery FleetEnvironments",
  "shelfleet/sync":
    "ModifyOptions PullOptions PlanOptions ApplyOptions MirrorOptions<any,any> EnsureOptions<any> DesiredStore",
  "shelfleet/node": "NodeTransportOptions",
  "shelfleet/opentelemetry": "OpenTelemetryOptions",
};

it("every optional property of an option or query may be undefined", async () => {
  const imports = Object.entries(optionTypes).map(
    ([entry, types]) =>
      `import type { ${types.replaceAll(/<.*?>/g, "").split(" ").join(", ")} } from "${entry}";`,
  );
  const checks = Object.values(optionTypes)
    .flatMap((types) => types.split(" "))
    .map((type) => `  Nothing<OptionalWithoutUndefined<${type}>>,`);
  const text = `${imports.join("\n")}
type Nothing<T extends never> = T;
type OptionalWithoutUndefined<T> = {
  [K in keyof T]-?: object extends Pick<T, K> ? ({ [P in K]: undefined } extends Pick<T, K> ? never : K) : never;
}[keyof T];
export type Control = OptionalWithoutUndefined<{ a?: 1; b?: 1 | undefined; c: 1 }>;
export const control: Control = "a";
export type Checks = [\n${checks.join("\n")}\n];
`;
  writeFileSync(join(folder, "undefined.ts"), text);
  expect(await compileConsumer("undefined", { noEmit: true })).toBe("");
});
