import type { Pagination } from "../../../../generated/fleet.ts";
import type { ApiResponse } from "../../kernel/api-response.ts";

/** The meta of every successful answer, and what an operation adds to it. */
export interface Meta {
  pagination?: Pagination;
  [member: string]: unknown;
}

/** A successful answer in its envelope. */
export function envelope(data: unknown, meta: Meta = {}, status = 200): ApiResponse {
  return { status, body: { data, meta: { version: "v1", ...meta } } };
}
