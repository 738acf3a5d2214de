// The one file of type machinery: it reads the `operations` that openapi-typescript generates.

import type { DestinationLock } from "./destination.ts";
import type { ResponseContent } from "./content.ts";
import type { Shape } from "./shape.ts";

export type { Operation, QueryRule, RetryClass } from "../../../wire/operation.ts";

/** The path ids of an operation. */
type PathIds<Op> = Op extends { parameters: { path: infer P } } ? P : undefined;

/** The JSON body of an operation. */
type Body<Op> = Op extends { requestBody?: { content: { "application/json": infer B } } } ? B : undefined;

type Success<Op> = Op extends { responses: { 200: { content: { "application/json": infer A } } } }
  ? A
  : never;

/** The type that a call resolves with: the response, or the `data` of its envelope. */
export type Result<Op> =
  Success<Op> extends infer A ? (A extends { data: infer D; meta: unknown } ? D : A) : never;

/** The input of one operation. */
export type Input<Op, T> = InputBody<Op> & {
  path?: PathIds<Op>;
  query?: object | undefined;
  /** The destination of several calls; by default, each call has its own. */
  destination?: DestinationLock | undefined;
  /** Converts the response's data to the result, e.g. with a shape. */
  transform?: ((data: Result<Op>, content: ResponseContent) => T | Promise<T>) | undefined;
};

/** A body of the contract, or what the client's shape accepts; the result of the shape is sent. */
type InputBody<Op> =
  | { body?: WithReadonlyLists<Body<Op>>; bodyShape?: undefined }
  | { body: unknown; bodyShape: Shape | undefined };

type WithReadonlyLists<B> = { [Name in keyof B]: B[Name] extends (infer E)[] ? readonly E[] : B[Name] };

/** An `Input` without its types. */
export interface AnyInput {
  path?: unknown;
  query?: object | undefined;
  body?: unknown;
  bodyShape?: Shape | undefined;
  destination?: DestinationLock | undefined;
  transform?: ((data: never, content: ResponseContent) => unknown) | undefined;
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
