import type { Api } from "./operations.ts";

/** The decoded copy of a body. */
export type Body =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  /** Larger than what is copied, cut short, or in a coding that is not known: nothing can be said about it. */
  | { readonly kind: "unread"; readonly reason: string }
  /** Bytes that are not what their headers say. */
  | { readonly kind: "broken"; readonly reason: string };

/** A request and its response, with what the checks need of them. */
export interface CheckedExchange {
  readonly api: Api;
  readonly method: string;
  /** Below the base URL, percent-encoded, without the query. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly requestHeaders: Readonly<Record<string, string | undefined>>;
  readonly requestBody: Body;
  readonly status: number;
  readonly responseHeaders: Readonly<Record<string, string | undefined>>;
  readonly responseBody: Body;
}
