import { UnexpectedResponseError } from "./errors.ts";
import { dotted, type Issue } from "./issue.ts";
import { snippet } from "./secret.ts";

/**
 * A schema of any library that follows Standard Schema 1: zod, valibot, arktype.
 * Only the part of the standard that is used here is written out, so that every version of it fits.
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

export async function applyShape<Output>(
  shape: Shape<Output>,
  value: unknown,
  at = "",
): Promise<Shaped<Output>> {
  const result = await shape["~standard"].validate(value);
  if (result.issues === undefined) return { value: result.value };
  const path = (issue: ShapeIssue): string =>
    [at, dotted(issue.path)].filter((part) => part !== "").join(".");
  return { issues: result.issues.map((issue) => ({ path: path(issue), message: issue.message })) };
}

/** The answer that something is read from. */
export interface AnswerContext {
  /** `GET /v1/stores`, for messages. */
  doing: string;
  status: number;
  /** Takes the secret out of a text. */
  clean: (text: string) => string;
}

/** An answer's value as a shape sees it; its refusal is an `UnexpectedResponseError` with paths. */
export async function shapeAnswer<Output>(
  context: AnswerContext,
  shape: Shape<Output>,
  value: unknown,
  at = "",
): Promise<Output> {
  const result = await applyShape(shape, value, at);
  if (result.issues === undefined) return result.value;
  throw refuseAnswer(context, result.issues, value);
}

/** The items of a page, read with a shape where there is one. */
export async function shapeItems<T>(
  context: AnswerContext,
  shape: Shape<T> | undefined,
  items: unknown[],
  at: string,
): Promise<T[]> {
  if (shape === undefined) return items as T[]; // the contract's own type, checked under `validate: "full"`
  return Promise.all(items.map((item, index) => shapeAnswer(context, shape, item, `${at}.${index}`)));
}

export function refuseAnswer(
  context: AnswerContext,
  issues: Issue[],
  value: unknown,
): UnexpectedResponseError {
  const { doing, status, clean } = context;
  const words = issues.slice(0, 5).map(({ path, message }) => `${path || "the whole"}: ${message}`);
  const more = issues.length > 5 ? ` (and ${issues.length - 5} more)` : "";
  return new UnexpectedResponseError(clean(`${doing}: the answer does not fit: ${words.join("; ")}${more}`), {
    status,
    body: snippet(written(value), clean),
    issues: issues.map(({ path, message }) => ({ path: clean(path), message: clean(message) })),
  });
}

function written(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return ""; // nested deeper than the engine can write
  }
}

/** Reads an answer's data with a shape; without one the data are handed on as they came. */
export function shaped<T>(
  shape: Shape | undefined,
): ((data: unknown, context: AnswerContext) => Promise<T>) | undefined {
  // a client's type parameter is what its shape puts out
  return shape && ((data, context) => shapeAnswer(context, shape as Shape<T>, data));
}
