// The one file of type machinery: it reads the `paths` that openapi-typescript generates.

import type { QueryRules, Rule } from "./rules.ts";
import type { AnswerContext, Shape } from "./shape.ts";

export type Method = "get" | "put" | "post" | "patch" | "delete";

/** The routes of an API that have a method. */
export type Route<Paths, M extends Method> = {
  [R in keyof Paths]: Paths[R] extends { [K in M]: object } ? R : never;
}[keyof Paths] &
  string;

type Operation<Paths, R extends keyof Paths, M extends Method> = Paths[R] extends { [K in M]: infer Op }
  ? Op
  : never;

/** The path ids of an operation. */
export type PathIds<Paths, R extends keyof Paths, M extends Method> =
  Operation<Paths, R, M> extends { parameters: { path: infer P } } ? P : undefined;

/** The JSON body of an operation. */
export type Body<Paths, R extends keyof Paths, M extends Method> =
  Operation<Paths, R, M> extends { requestBody?: { content: { "application/json": infer B } } }
    ? B
    : undefined;

/** The names of an operation's query parameters. */
export type QueryName<Paths, R extends keyof Paths, M extends Method> =
  Operation<Paths, R, M> extends { parameters: { query?: infer Q } } ? keyof NonNullable<Q> : never;

type Success<Op> = Op extends { responses: { 200: { content: { "application/json": infer A } } } }
  ? A
  : never;

/** What a call resolves with: the answer, or the `data` of its envelope. */
export type Answer<Paths, R extends keyof Paths, M extends Method> =
  Success<Operation<Paths, R, M>> extends infer A
    ? A extends { data: infer D; meta: unknown }
      ? D
      : A
    : never;

/** What a client's shape makes of an entity, or the contract's own type where it was given none. */
export type ShapedAs<Shapes, Name extends string, Otherwise> = Shapes extends {
  readonly [N in Name]: Shape<infer Output>;
}
  ? Output
  : Otherwise;

/** What a client's shape for an input takes, or the contract's own type where it was given none. */
export type ShapedInput<Shapes, Name extends string, Otherwise> = Shapes extends {
  readonly [N in Name]: {
    readonly "~standard": { readonly types?: { readonly input: infer Given } | undefined };
  };
}
  ? Given
  : Otherwise;

/** What one operation is called with. */
export interface Input<Paths, R extends keyof Paths, M extends Method, T> {
  path?: PathIds<Paths, R, M>;
  /** The path ids that the contract calls UUIDs. */
  uuids?: readonly (keyof PathIds<Paths, R, M>)[];
  query?: object | undefined;
  rules?: QueryRules & { rules: Readonly<Partial<Record<QueryName<Paths, R, M>, Rule>>> };
  body?: Body<Paths, R, M>;
  /** Reads the body first; what it puts out is sent. */
  bodyShape?: Shape | undefined;
  /** Makes the result out of the answer's data, e.g. by a shape. */
  finish?: ((data: Answer<Paths, R, M>, context: AnswerContext) => T | Promise<T>) | undefined;
}
