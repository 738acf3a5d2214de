import type { ApiName } from "../../routes.ts";

/** The decoded copy of a body. */
export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  /** The body is too large to copy, cut off, or in an unknown coding, so it cannot be checked. */
  | { readonly kind: "unread"; readonly reason: string }
  /** The bytes do not match the headers. */
  | { readonly kind: "broken"; readonly reason: string };

/** A request and its response, for the checks. */
export interface CheckedExchange {
  readonly api: ApiName;
  readonly method: string;
  /** The path below the base URL, percent-encoded, without the query. */
  readonly path: string;
  /** The query, without the question mark. */
  readonly query: string;
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  readonly requestBody: Body;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string | undefined>>;
  readonly responseBody: Body;
}
