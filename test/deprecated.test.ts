import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

it("every deprecated name leads to the upgrade guide, which names it", () => {
  const guide = readFileSync(`${root}docs/upgrade.md`, "utf8");
  const deprecated = globSync("src/**/*.ts", { cwd: root }).flatMap((file) => [
    ...readFileSync(root + file, "utf8").matchAll(/@deprecated (.*?) \*\/\s+(?:export \w+ )?(\w+)/g),
  ]);
  const wrong = deprecated.filter(
    ([, comment = "", name = ""]) => !comment.includes("see docs/upgrade.md") || !guide.includes(name),
  );
  expect(deprecated.length).toBeGreaterThan(6);
  expect(wrong.map(([text]) => text)).toEqual([]);
});
