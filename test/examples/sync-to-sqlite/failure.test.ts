import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { explain } from "../../../examples/sync-to-sqlite/failure.ts";

/** The error of a statement. */
function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("it did not throw");
}

describe("explain", () => {
  it("reports that the disk is full", () => {
    const file = new DatabaseSync(":memory:");
    file.exec("PRAGMA max_page_count = 2; CREATE TABLE rows (data)");
    const full = thrownBy(() => file.exec("INSERT INTO rows VALUES (zeroblob(100000))"));
    expect(explain(full, "a.sqlite")).toEqual({
      line: "sync-to-sqlite: a.sqlite: the disk is full. The saved data is kept: start again with the same arguments to resume",
      exitCode: 1,
    });
  });

  it("reports that a file is read-only", () => {
    const file = new DatabaseSync(":memory:");
    file.exec("PRAGMA query_only = 1");
    const refused = thrownBy(() => file.exec("CREATE TABLE rows (data)"));
    expect(explain(refused, "a.sqlite")?.line).toBe(
      "sync-to-sqlite: a.sqlite: cannot be written: it is read-only",
    );
  });

  it("has no explanation for a bug in the program", () => {
    expect(explain(new TypeError("x is not a function"), "a.sqlite")).toBeUndefined();
  });
});
