import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CHANGES, bodyProperties } from "../../../src/mock/fleet/resources.ts";

const guide = readFileSync(new URL("../../../docs/gaps.md", import.meta.url), "utf8");
const [, section = ""] = guide.split("## Invented names");

test.each(Object.entries(bodyProperties))(
  "the guide lists the invented properties of %s",
  (_resource, names) => {
    expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  },
);

test("the guide names the property of a PATCH with its own shape", () => {
  expect(section).toContain(`\`${CHANGES}\``);
});
