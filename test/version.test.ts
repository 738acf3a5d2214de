import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { version } from "../src/wire/version.ts";

it("the user agent contains the version of package.json", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(version).toBe(manifest.version);
});
