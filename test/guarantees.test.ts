import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const text = readFileSync(`${root}docs/guarantees.md`, "utf8");
const tests = [...text.matchAll(/^\| (G-\d+) \| `(\S+)`: (.+) \|$/gm)].map(
  ([, promise = "", file = "", title = ""]) => ({ promise, file, title }),
);

describe("docs/guarantees.md", () => {
  it("names a test of each promise", () => {
    const promises = [...text.matchAll(/^- \*\*(G-\d+)\*\*/gm)].map(([, id]) => id);
    expect(promises.length).toBeGreaterThan(10);
    expect(new Set(tests.map(({ promise }) => promise))).toEqual(new Set(promises));
  });

  it.each(tests)("$promise: $file has the test that it names", ({ file, title }) => {
    const source = existsSync(root + file) ? readFileSync(root + file, "utf8") : "";
    expect(source).toContain(`"${title}"`);
  });
});
