import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHANGES } from "../../../src/mock/fleet/handlers.ts";
import { resources } from "../../../src/mock/fleet/resources.ts";

const guide = readFileSync(new URL("../../../docs/gaps.md", import.meta.url), "utf8");
const [, section = ""] = guide.split("## Invented names");

test.each(Object.entries(resources))(
  "the guide lists the invented properties of %s",
  (_resource, { properties = [] }) => {
    expect(properties.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  },
);

test("the guide names the property of a PATCH with its own shape", () => {
  expect(section).toContain(`\`${CHANGES}\``);
});
