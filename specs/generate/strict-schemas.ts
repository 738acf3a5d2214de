import { type Document, endpoints, reachableSchemas } from "./document.ts";
import { schemaConstant, schemasInOrder, partName } from "./schemas.ts";
import { expression, formatDefinitions } from "./zod.ts";

const introduction = `
/*
 * The request bodies that contain an enum, bound to the values that the contract lists. The schemas of the same names in
 * the other module take any string there (gap requests.unlisted-values).
 */
`;

/** Schemas of the request bodies that contain an enum; undefined where no body has one. */
export function strictSchemasModule(document: Document): string | undefined {
  const { schemas } = document.components;
  const hasEnum = (names: Set<string>): boolean =>
    [...names].some((name) => schemas[name]?.enum !== undefined);
  const strict = endpoints(document).filter(({ body }) => hasEnum(reachableSchemas(document, body)));
  if (strict.length === 0) return undefined;
  const needed = reachableSchemas(
    document,
    strict.map(({ body }) => body),
  );
  const named = schemasInOrder(schemas)
    .filter(([name]) => needed.has(name))
    .map(([name, schema]) => schemaConstant(`z${name}`, expression(schema)));
  const bodies = strict.map(
    ({ id, method, path, body }) =>
      `/** \`${method} ${path}\` */\nexport ${schemaConstant(partName(id, "Body"), expression(body ?? {}))}`,
  );
  return ['import * as z from "zod/mini";', introduction, formatDefinitions, ...named, ...bodies].join("\n");
}
