import type { Dialect } from "../core/answer.ts";
import type { Received } from "../core/attempt.ts";
import { StoreApiError } from "./errors.ts";

/** The store API answers without an envelope; its errors stand in `error`. Contract: store 4 and 7. */
export const storeDialect: Dialect = {
  open: (json) => ({ data: json }),
  error: (_, details) => new StoreApiError(details),
  documented: new Set([400, 401, 404, 503]),
};

/** A service without an API token stays so however often it is asked. Contract: store 5. */
export function isNotConfigured({ status, text }: Received): boolean {
  return status === 503 && /"code"\s*:\s*"not_configured"/.test(text);
}
