import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  hasInstallScript?: boolean;
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const manifest = read("package.json") as {
  version: string;
  dependencies: Record<string, string>;
  scripts: Record<string, string>;
};
const lock = read("package-lock.json") as { version: string; packages: Record<string, Locked> };
const { "": _root, ...packages } = lock.packages;

/** The packages that `npm install shelfleet` installs. */
const installed = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional);
const nameOf = (path: string): string => path.replace(/^.*node_modules\//, "");

describe("the packages that users install", () => {
  it("are two packages and their dependencies", () => {
    expect(Object.keys(manifest.dependencies)).toEqual(["openapi-fetch", "zod"]);
    expect(installed.map(([path]) => nameOf(path)).toSorted()).toEqual([
      "openapi-fetch",
      "openapi-typescript-helpers",
      "zod",
    ]);
  });

  it("have no install script, and neither does the package itself", () => {
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    const own = ["preinstall", "install", "postinstall", "prepare", "preprepare", "postprepare"];
    expect(own.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  it("have version ranges that accept fixes without a release of this package", () => {
    for (const range of Object.values(manifest.dependencies)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
  });
});

describe("the lock file", () => {
  it("has the checksum of every package, and takes all of them from the registry", () => {
    const loose = Object.entries(packages).filter(
      ([, { integrity, resolved }]) =>
        !integrity?.startsWith("sha512-") || /^(git|file|http:)/.test(resolved ?? ""),
    );
    expect(loose).toEqual([]);
  });

  it("has the version of the package", () => {
    expect(lock.version).toBe(manifest.version);
  });
});
