import { type Issue, listIssues } from "./errors.ts";
import type { ReadResponse } from "./response.ts";

/**
 * A schema of any library that implements Standard Schema 1: zod, valibot, arktype. Only the parts of the standard that
 * the clients use are declared, so that every version of it is assignable.
 */
export interface Shape<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly validate: (value: unknown) => ShapeResult<Output> | Promise<ShapeResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type ShapeResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly ShapeIssue[] };

interface ShapeIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type that a client's shape gives an entity; without a shape, the contract's type. */
export type ShapedAs<Shapes, Name extends string, Otherwise> = Shapes extends {
  readonly [N in Name]: Shape<infer Output>;
}
  ? Output
  : Otherwise;

/** The type that a client's input shape accepts; without a shape, the contract's type. */
export type ShapedInput<Shapes, Name extends string, Otherwise> = Shapes extends {
  readonly [N in Name]: {
    readonly "~standard": { readonly types?: { readonly input: infer Given } | undefined };
  };
}
  ? Given
  : Otherwise;

/** Parses a value with a shape. Returns its output, or the issues with their paths below `prefix`. */
export async function parseWith<Output>(
  shape: Shape<Output>,
  value: unknown,
  prefix = "",
): Promise<{ value: Output; issues?: undefined } | { issues: Issue[] }> {
  const result = await shape["~standard"].validate(value);
  if (result.issues === undefined) return { value: result.value };
  const issues = result.issues.map(({ path = [], message }) => {
    const names = path.map((part) => String(typeof part === "object" ? part.key : part));
    return { path: [prefix, ...names].filter((part) => part !== "").join("."), message };
  });
  return { issues };
}

/** Parses a part of a response with a shape. */
export async function parseResponse<T>(
  response: ReadResponse,
  shape: Shape<T>,
  value: unknown,
  prefix = "",
): Promise<T> {
  const parsed = await parseWith(shape, value, prefix);
  if (parsed.issues === undefined) return parsed.value;
  const summary = `does not fit the shape: ${listIssues(parsed.issues, "the value")}`;
  throw response.unexpected(summary, parsed.issues);
}

/** Parses the items of a response with a shape; without one, an item is what the service sent. */
export async function parseItems<T>(
  response: ReadResponse,
  shape: Shape<T> | undefined,
  items: readonly unknown[],
  prefix: string,
): Promise<T[]> {
  if (shape === undefined) return items as T[]; // of the type of the contract
  return Promise.all(items.map((item, index) => parseResponse(response, shape, item, `${prefix}.${index}`)));
}
