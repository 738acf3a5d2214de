import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { collectMessages } from "./collect.ts";
import { messagesFile, messagesReport } from "./report.ts";

const collect = (source: string): string[] =>
  collectMessages(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true));

describe("api/messages.txt", () => {
  it("lists the messages of the current source (npm run messages writes it)", () => {
    expect(readFileSync(messagesFile, "utf8")).toBe(messagesReport());
  });
});

describe("collectMessages", () => {
  it("shows the values of a template as names in braces", () => {
    expect(collect("throw new TypeError(`${name} must be one of ${known.map(quote).join(', ')}`);")).toEqual([
      "{name} must be one of {join}",
    ]);
  });

  it("finds the parts of a message in tables, branches and functions", () => {
    const source = `const words = { a: "is required" }; function say() { return ok ? "is valid" : "is not valid"; }`;
    expect(collect(source)).toEqual(["is required", "is valid", "is not valid"]);
  });

  it("finds words in capitals if they are a message", () => {
    expect(collect(`const a = "Not Found"; const issue = { message: "Not Found" };`)).toEqual(["Not Found"]);
    expect(collect(`const a = "Not Found";`)).toEqual([]);
  });

  it("skips imports, types, names and routes", () => {
    const source = `import a from "a b c"; type B = "one of many"; const c = "GET /v1/stores"; const d = "gzip";`;
    expect(collect(source)).toEqual([]);
  });
});
