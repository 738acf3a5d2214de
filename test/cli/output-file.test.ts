import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
} from "node:fs";
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

  it("keeps its permissions whatever the umask is, and its other names", () => {
    const {
      folder,
      "real.json": real = "",
      "linked.json": linked = "",
    } = folderWith({
      "real.json": "old",
      "linked.json": "old",
    });
    const second = join(folder, "second.json");
    linkSync(linked, second);
    for (const file of [real, linked]) chmodSync(file, 0o666);
    for (const file of [real, linked]) writeTextFile("--out", file, "new");
    expect([real, linked].map((file) => statSync(file).mode & 0o777)).toEqual([0o666, 0o666]);
    expect([real, linked, second].map((file) => readFileSync(file, "utf8"))).toEqual(["new", "new", "new"]);
  });

  it("can have the longest name that a file can have, in a folder with any others", () => {
    const { folder } = folderWith({});
    mkdirSync(join(folder, `a.${process.pid}.tmp`));
    for (const name of ["a", "a".repeat(255)]) {
      writeTextFile("--out", join(folder, name), "new");
      expect(readFileSync(join(folder, name), "utf8")).toBe("new");
    }
  });

  it("is the target of a link, also if it does not exist yet", () => {
    const { folder } = folderWith({});
    const [first, second] = [join(folder, "first.json"), join(folder, "second.json")];
    symlinkSync("real.json", first);
    symlinkSync(first, second);
    expect(() => assertDistinct({ "--out": first, "--report": second }, {})).toThrow("name the same file");
    writeTextFile("--out", second, "new");
    expect([first, second].map((link) => lstatSync(link).isSymbolicLink())).toEqual([true, true]);
    expect(readFileSync(join(folder, "real.json"), "utf8")).toBe("new");
    symlinkSync("circle.json", join(folder, "circle.json"));
    expect(() => writeTextFile("--out", join(folder, "circle.json"), "new")).toThrow("(ELOOP)");
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
