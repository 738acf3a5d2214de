import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version } from "../src/core/version.ts";

it("the version in the user agent is that of package.json", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(version).toBe(manifest.version);
});
