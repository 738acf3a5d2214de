import type { Document } from "./document.ts";
import { comment } from "./prose.ts";

/** The constant with the values of an enum: `ProductCategory` → `productCategories`, `FillRateGroupBy` → `fillRateGroupBys` */
export function constantName(name: string): string {
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  if (/[^aeiou]y$/.test(lower) && !name.endsWith("By")) return `${lower.slice(0, -1)}ies`;
  return lower.endsWith("s") ? `${lower}es` : `${lower}s`;
}

/** The values of every named enum as a constant. */
export function enumsModule(document: Document): string {
  return Object.entries(document.components.schemas)
    .filter(([, schema]) => schema.enum !== undefined)
    .map(([name, schema]) => {
      const values = schema.enum?.filter((value) => value !== null);
      return `${comment(schema.description)}export const ${constantName(name)} = ${JSON.stringify(values)} as const;\n`;
    })
    .join("\n");
}
