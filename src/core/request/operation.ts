// The one file of type machinery: it reads the `operations` that openapi-typescript generates.

import type { ResponseContent } from "./response.ts";
import type { Shape } from "./shape.ts";

/** Whether a request may be sent again after a response was lost. */
export type RetryClass =
  /** Sending twice has the effect of sending once. */
  | "idempotent"
  /** Only if the server said that it did not process the request. */
  | "refused-only";

/** How one query parameter is checked and written. */
export interface QueryRule {
  readonly type: "string" | "integer" | "number" | "boolean" | "date-time" | "uuid" | "comma-list";
  readonly minimum?: number;
  readonly maximum?: number;
  /** The values of an enumeration. */
  readonly values?: readonly string[];
  readonly required?: true;
}

export type QueryRules = Readonly<Record<string, QueryRule>>;

/** What the data of a successful response must be. */
export type ResponseKind =
  /** An object with at least one member. */
  | "entity"
  /** An object with an array `items`. */
  | "items"
  /** An object with an array `items` and a `nextCursor`. */
  | "cursor-page"
  /** An object with an array `images`. */
  | "detail"
  /** Any object. */
  | "object"
  /** An envelope with an object `data`. */
  | "data"
  /** An envelope with an array `data`. */
  | "numbered-page"
  /** Anything, or nothing. */
  | "deleted";

/** One row of the generated operation table. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The path ids that have a format. */
  readonly formats?: Readonly<Record<string, "uuid">>;
  readonly query?: QueryRules;
  /** The name of the schema that checks the body. */
  readonly body?: string;
  readonly response: ResponseKind;
  /** The name of the schema that checks the response under `validate: "full"`. */
  readonly responseSchema?: string;
  readonly retry: RetryClass;
}

/** The path ids of an operation. */
type PathIds<Op> = Op extends { parameters: { path: infer P } } ? P : undefined;

/** The JSON body of an operation. */
type Body<Op> = Op extends { requestBody?: { content: { "application/json": infer B } } } ? B : undefined;

type Success<Op> = Op extends { responses: { 200: { content: { "application/json": infer A } } } }
  ? A
  : never;

/** What a call resolves with: the response, or the `data` of its envelope. */
export type Result<Op> =
  Success<Op> extends infer A ? (A extends { data: infer D; meta: unknown } ? D : A) : never;

/** What one operation is called with. */
export interface Input<Op, T> {
  path?: PathIds<Op>;
  query?: object | undefined;
  body?: Body<Op>;
  /** Reads the body first; its output is sent. */
  bodyShape?: Shape | undefined;
  /** Makes the result out of the response's data, e.g. by a shape. */
  transform?: ((data: Result<Op>, content: ResponseContent) => T | Promise<T>) | undefined;
}

/** An `Input` without its types. */
export interface AnyInput {
  path?: unknown;
  query?: object | undefined;
  body?: unknown;
  bodyShape?: Shape | undefined;
  transform?: ((data: never, content: ResponseContent) => unknown) | undefined;
}

/** The type that a client's shape gives an entity, or the contract's own type without one. */
export type ShapedAs<Shapes, Name extends string, Otherwise> = Shapes extends {
  readonly [N in Name]: Shape<infer Output>;
}
  ? Output
  : Otherwise;

/** The type that a client's shape for an input takes, or the contract's own type without one. */
export type ShapedInput<Shapes, Name extends string, Otherwise> = Shapes extends {
  readonly [N in Name]: {
    readonly "~standard": { readonly types?: { readonly input: infer Given } | undefined };
  };
}
  ? Given
  : Otherwise;
