import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocks } from "../documentation.ts";
import { installPacked } from "../package/packed.ts";

// README's test with the packed package in each environment, as docs/testing.md says to set it.

const here = fileURLToPath(new URL(".", import.meta.url));
const guide = readFileSync(join(here, "../../docs/testing.md"), "utf8");
const project = mkdtempSync(join(tmpdir(), "shelfleet-environments-"));
const modules = join(project, "node_modules");

function link(name: string, target = name): void {
  rmSync(join(modules, name), { recursive: true, force: true });
  symlinkSync(join(here, "node_modules", target), join(modules, name), "dir");
}

beforeAll(() => {
  installPacked(join(here, "fixture"), project);
  for (const name of ["jest", "@jest", "jest-environment-jsdom", "jest-fixed-jsdom", "vitest"]) link(name);
  const text = blocks().find(
    (block) => block.document === "README.md" && block.text.includes('"vitest"'),
  )?.text;
  if (text === undefined) throw new Error("README has no test");
  writeFileSync(join(project, "readme.test.ts"), text);
  writeFileSync(join(project, "readme.test.js"), text.replace('"vitest"', '"@jest/globals"'));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Runs a test file, with the settings of a line in the configuration. */
function run(runner: "vitest" | "jest", settings: string, file: string) {
  const isVitest = runner === "vitest";
  writeFileSync(
    join(project, `${runner}.config.js`),
    isVitest ? `export default { test: { ${settings} } };` : `export default { ${settings} };`,
  );
  const args = isVitest
    ? ["node_modules/vitest/vitest.mjs", "run", file]
    : ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", file];
  const { VITEST: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: project,
    encoding: "utf8",
    env,
  });
  return { hasPassed: status === 0, output: stdout + stderr };
}

/** An environment, the setting that the guide names for it, and whether the test fails without it. */
type Environment = [runner: "vitest" | "jest", name: string, settings: string, line?: string];

const happyDom =
  "environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } }";
const fixedJsdom = 'testEnvironment: "jest-fixed-jsdom"';
const environments: Environment[] = [
  ["vitest", "node", 'environment: "node"'],
  ["vitest", "jsdom", 'environment: "jsdom"'],
  ["vitest", "happy-dom", 'environment: "happy-dom"', happyDom],
  ["jest", "node", 'testEnvironment: "node"'],
  ["jest", "jsdom", 'testEnvironment: "jsdom"', fixedJsdom],
];

describe.each([
  ["msw 3", "msw"],
  ["msw 2", "msw2"],
])("README's test with %s", (_, msw) => {
  beforeAll(() => link("msw", msw));

  it.each(environments)("runs in %s with %s", (runner, _name, settings, line) => {
    const file = runner === "vitest" ? "readme.test.ts" : "readme.test.js";
    // jest's line is another environment
    const own = runner === "vitest" && line !== undefined ? `${settings}, ${line}` : (line ?? settings);
    const { hasPassed, output } = run(runner, own, file);
    expect(hasPassed, output).toBe(true);
  });
});

it("the guide has each line", () => {
  for (const [, , , line] of environments) expect(guide).toContain(line === undefined ? "" : `\`${line}\``);
});

it.each(environments.filter(([, , , line]) => line !== undefined))(
  "README's test does not run in %s with %s without the line of the guide",
  (runner, _name, settings) => {
    link("msw");
    expect(run(runner, settings, runner === "vitest" ? "readme.test.ts" : "readme.test.js").hasPassed).toBe(
      false,
    );
  },
);

it.each(["node", "jsdom"])("doubles of fetch work in jest with %s without a setting", (name) => {
  const { hasPassed, output } = run("jest", `testEnvironment: "${name}"`, "doubles.test.js");
  expect(hasPassed, output).toBe(true);
});
