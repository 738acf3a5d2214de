import { chmodSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { replaceFile, writeTextFile } from "../../src/cli/files.ts";
import { folderWith } from "./folder.ts";

describe("a file that a command writes", () => {
  it("replaces the target of a link and keeps its permissions", () => {
    const { folder, "real.json": real = "" } = folderWith({ "real.json": "old" });
    chmodSync(real, 0o640);
    const link = join(folder, "link.json");
    symlinkSync(real, link);
    writeTextFile("--out", link, "new");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect([readFileSync(real, "utf8"), statSync(real).mode & 0o777]).toEqual(["new", 0o640]);
    expect(readdirSync(folder).toSorted()).toEqual(["link.json", "real.json"]);
  });

  it("keeps the old one if the new one cannot be written as a whole", () => {
    const { folder, "old.json": old = "" } = folderWith({ "old.json": "old" });
    const parts = function* (): Generator<string> {
      yield "the beginning";
      throw new Error("ENOSPC");
    };
    expect(() => replaceFile(old, parts(), 0o600)).toThrow("ENOSPC");
    expect([readFileSync(old, "utf8"), readdirSync(folder)]).toEqual(["old", ["old.json"]]);
  });

  it("can be a device, which stays one", () => {
    writeTextFile("--out", "/dev/null", "new");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(() => writeTextFile("--out", "/dev/full", "new")).toThrow(
      "--out /dev/full: cannot be written (ENOSPC)",
    );
  });
});
