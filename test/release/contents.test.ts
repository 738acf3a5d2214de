import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tarballProblems } from "./contents.ts";

/** A small package without problems. */
const good: Record<string, string> = {
  "package.json": JSON.stringify({
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./specs/*": "./specs/*",
    },
    bin: { it: "./dist/cli.js" },
  }),
  "README.md": "",
  LICENSE: "",
  "dist/index.js": 'import "./chunk-A.js"; const later = () => import("./later-B.js");',
  "dist/chunk-A.js": "",
  "dist/later-B.js": 'import "node:fs";',
  "dist/cli.js": 'import { a } from "./chunk-A.js";',
  "dist/index.d.ts": 'import { A } from "./shared/a.js";',
  "dist/index.d.ts.map": JSON.stringify({ sources: ["../src/client/core.ts"] }),
  "dist/shared/a.d.ts": "",
  "src/client/core.ts": "",
  "specs/gaps.yaml": "",
};

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "tarball-")));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes the good package with changes (null: the file does not exist) and checks all of it except `left`. */
function problems(changes: Record<string, string | null> = {}, left: string[] = [], runnable: string[] = []) {
  const files = Object.entries({ ...good, ...changes }).flatMap(([path, text]) =>
    text === null ? [] : [{ path, text }],
  );
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const packed = files.filter(({ path }) => !left.includes(path));
  const modeOf = (path: string): number => (runnable.includes(path) ? 0o755 : 0o644);
  return tarballProblems(
    root,
    packed.map(({ path }) => ({ path, mode: modeOf(path) })),
  );
}

describe("the check of a tarball", () => {
  it("finds no problem if the tarball contains exactly the intended files", () => {
    expect(problems({}, [], ["dist/cli.js"])).toEqual([]);
  });

  it.each([
    ".env",
    ".npmrc",
    "specs/redocly.yaml",
    "src/client/notes.md",
    "dist/key.pem",
    "dist/cli.test.js",
    "generated/readings.ts",
    "src/mock/index.ts",
    "node_modules/x/index.js",
    "package-lock.json",
  ])("reports the unintended file %s", (path) => {
    expect(problems({ [path]: "" })).toContain(`${path} is not meant to be there`);
  });

  it.each(["dist/index.js", "dist/cli.js", "dist/index.d.ts", "src/client/core.ts"])(
    "reports the missing file %s",
    (path) => {
      expect(problems({}, [path])).toContain(`${path} is missing`);
    },
  );

  it.each(["dist/chunk-A.js", "dist/later-B.js", "dist/shared/a.d.ts"])(
    "reports the missing file %s, which another file imports",
    (path) => {
      expect(problems({}, [path])).toEqual([`${path} is missing`]);
      expect(problems({ [path]: null })).toEqual([`${path} is missing`]);
    },
  );

  it.each(["dist/chunk-OLD.js", "dist/types/src/gone.d.ts"])("reports %s, left over from a build", (path) => {
    expect(problems({ [path]: 'import "./index.js"' })).toEqual([`${path} is reached from no entry point`]);
  });

  it("reports executable files other than the command line", () => {
    expect(problems({}, [], ["dist/cli.js", "src/client/core.ts"])).toEqual([
      "src/client/core.ts may be run",
    ]);
  });

  it("reports links of documents to files and headings that it lacks", () => {
    const guide =
      "[a](../README.md) [b](#a-b) [c](https://example.com) [d](../src) [e](x.md#no)\n## A: `b`\n";
    expect(problems({ "docs/a.md": guide, "docs/x.md": "" })).toEqual([
      "docs/a.md links to x.md#no, which it does not contain",
    ]);
    expect(problems({ "docs/a.md": guide }, ["README.md"])).toEqual([
      "docs/a.md links to ../README.md, which it does not contain",
      "docs/a.md links to x.md#no, which it does not contain",
    ]);
    expect(problems({ "docs/a.md": "```md\n[a](none.md)\n```\n" })).toEqual([]);
  });

  it("reports a path of the machine that built it", () => {
    const what = "names a place on the machine that built it";
    expect(problems({ "dist/chunk-A.js": `// ${root}/src/index.ts` })).toEqual([`dist/chunk-A.js ${what}`]);
    expect(problems({ "src/client/core.ts": "// file:///home/me/core.ts" })).toEqual([
      `src/client/core.ts ${what}`,
    ]);
  });
});
