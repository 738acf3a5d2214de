import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fleetResources } from "../../../src/mock/fleet/data.ts";
import { formOf } from "../../../src/mock/fleet/bodies.ts";
import { CHANGES } from "../../../src/mock/fleet/handlers.ts";
import { partsOf, type Schema } from "../../../src/mock/server/schemas.ts";

const guide = readFileSync(new URL("../../../docs/gaps.md", import.meta.url), "utf8");
const [, section = ""] = guide.split("## Invented names");

/** Returns the properties of a schema at every depth. */
function namesIn(schema: Schema): string[] {
  const { shape = {}, element } = partsOf(schema);
  const inner = [...Object.values(shape), ...(element === undefined ? [] : [element])];
  return [...Object.keys(shape), ...inner.flatMap(namesIn)];
}

test.each(fleetResources)("the guide lists the invented properties of %s", (resource) => {
  const form = formOf(resource);
  const names = form === undefined ? [] : namesIn(form);
  expect(names.length > 0).toBe(resource !== "vehicleFields");
  expect(names.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test("the guide names the property of a PATCH with its own shape", () => {
  expect(section).toContain(`\`${CHANGES}\``);
});
