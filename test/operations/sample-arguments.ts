import type { ApiOperation } from "./operations.ts";
import { pathNames } from "./operations.ts";
import type { Sample } from "./sample.ts";

/** The arguments of the client's method: the path ids in the order of the path, then the query or the body. */
export function sampleArguments(operation: ApiOperation, { path, query, body }: Sample): unknown[] {
  const ids = pathNames(operation).map((name) => (path as Record<string, unknown> | undefined)?.[name]);
  if (query !== undefined) return [...ids, query];
  if (body === undefined) return ids;
  const { bodyArgument } = operation.client;
  return [...ids, bodyArgument === undefined ? body : (body as Record<string, unknown>)[bodyArgument]];
}
