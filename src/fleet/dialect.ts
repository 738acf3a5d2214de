import type { Dialect } from "../core/answer.ts";
import { isObject } from "../core/json.ts";
import { FleetApiError } from "./errors.ts";
import { scopeError } from "./refusal.ts";

/** The fleet API answers `{ data, meta }`, and its errors stand in `errors`. Contract: fleet 1 and 7. */
export const fleetDialect: Dialect = {
  open({ data, meta }, method) {
    // what a DELETE tells about what it deleted is not shown
    const fits = method === "DELETE" ? data !== undefined : isObject(data);
    if (!fits) return "without the `data` of an envelope { data, meta }";
    return isObject(meta) ? { data, meta } : { data };
  },
  error: (operation, details) =>
    details.status === 403 ? scopeError(operation, details) : new FleetApiError(details),
  documented: new Set([400, 401, 403, 404, 500]),
};
