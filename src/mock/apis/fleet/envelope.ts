import type { Pagination } from "../../../../generated/fleet.ts";
import type { ApiResponse } from "../../http/api-response.ts";

/** The meta of every successful response, with the additions of an operation. */
export interface Meta {
  pagination?: Pagination;
  [property: string]: unknown;
}

/** Returns a successful response in its envelope. */
export function envelope(data: unknown, meta: Meta = {}, status = 200): ApiResponse {
  return { status, body: { data, meta: { version: "v1", ...meta } } };
}
