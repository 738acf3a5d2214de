import { chmodSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { assertDistinct, replaceFile, writeTextFile } from "../../src/cli/files.ts";
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

  it("is neither another one nor one that the command reads", () => {
    const { folder, "log.har": har = "" } = folderWith({ "log.har": "{}" });
    const [out, link] = [join(folder, "out.json"), join(folder, "link.har")];
    symlinkSync(har, link);
    const check = (report: string) => () =>
      assertDistinct({ "--out": out, "--report": report }, { "--har": har });
    expect(check(`${folder}/./out.json`)).toThrow("--out and --report name the same file");
    expect(check(link)).toThrow("--har and --report name the same file");
    expect(check(join(folder, "report.md"))).not.toThrow();
    expect(() => assertDistinct({ "--out": "/dev/null", "--report": "/dev/null" }, {})).not.toThrow();
  });

  it("can be a device, which stays one", () => {
    writeTextFile("--out", "/dev/null", "new");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(() => writeTextFile("--out", "/dev/full", "new")).toThrow(
      "--out /dev/full: cannot be written (ENOSPC)",
    );
  });
});
