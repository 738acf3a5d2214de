import { formatPath, type Issue } from "../errors/issue.ts";
import type { ResponseContent } from "./content.ts";
import { rejectWith } from "./response.ts";

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

export type Shaped<Output> = { value: Output; issues?: undefined } | { issues: Issue[] };

/** Returns the output of a shape, or its issues with their paths in the request or response. */
export function readShapeResult<Output>(result: ShapeResult<Output>, place = ""): Shaped<Output> {
  if (result.issues === undefined) return { value: result.value };
  const path = (issue: ShapeIssue): string =>
    [place, formatPath(issue.path)].filter((part) => part !== "").join(".");
  return { issues: result.issues.map((issue) => ({ path: path(issue), message: issue.message })) };
}

/**
 * Parses a response's value with a shape. If the shape rejects it, the error is an `UnexpectedResponseError` with
 * paths.
 */
export async function shapeValue<Output>(
  content: ResponseContent,
  shape: Shape<Output>,
  value: unknown,
  at = "",
): Promise<Output> {
  const result = readShapeResult(await shape["~standard"].validate(value), at);
  if (result.issues === undefined) return result.value;
  return rejectWith(content, ({ schemaMismatch }) => schemaMismatch(content, result.issues, "shape"));
}

/** Parses each item of a list with a shape. */
export async function shapeItems<T>(
  content: ResponseContent,
  shape: Shape<T>,
  items: unknown[],
  at: string,
): Promise<T[]> {
  return Promise.all(items.map((item, index) => shapeValue(content, shape, item, `${at}.${index}`)));
}

/** Parses a response's data with a shape; undefined without a shape. */
export function transformWith<T>(
  shape: Shape | undefined,
): ((data: unknown, content: ResponseContent) => Promise<T>) | undefined {
  // a client's type parameter is the output of its shape
  return shape && ((data, content) => shapeValue(content, shape as Shape<T>, data));
}

/** An item before and after its shape. */
export interface SentItem<T> {
  sent: unknown;
  item: T;
}

/** Returns a shape whose output also has its input. */
export function keepSent<T>(shape: Shape<T> | undefined): Shape<SentItem<T>> {
  return {
    "~standard": {
      version: 1,
      async validate(sent) {
        // without a shape, an item is what the service sent
        if (shape === undefined) return { value: { sent, item: sent as T } };
        const result = await shape["~standard"].validate(sent);
        return result.issues === undefined ? { value: { sent, item: result.value } } : result;
      },
    },
  };
}
