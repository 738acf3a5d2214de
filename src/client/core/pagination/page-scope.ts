import { isObject, type JsonObject } from "../../../wire/json.ts";
import { isSimilarId } from "../request/external-id.ts";
import type { WalkGuard } from "./guard.ts";
import type { ListCall } from "./list-call.ts";

/** Rejects a page whose `meta` says that it is about another field, or was filtered by other values than the requested ones. */
export function requireScope({ field, filters }: JsonObject, call: ListCall, guard: WalkGuard): void {
  const returned = isObject(field) ? field.id : undefined;
  if (typeof returned === "string" && !isSimilarId(returned, String(call.path?.["id"])))
    throw guard.error("the response is about another field: `meta.field.id` differs from the requested one");
  if (!isObject(filters)) return;
  const declared = call.api.config.operations[call.operation]?.query ?? {};
  for (const name of ["search", "status"]) {
    const sent = call.baseQuery[name];
    if (sent === undefined && !(name in declared)) continue; // it may be a default of the service
    const used = filters[name] === null ? "" : filters[name];
    if (typeof used !== "string" || isSimilarId(used, typeof sent === "string" ? sent : "")) continue;
    throw guard.error(
      `the response has another filter: \`meta.filters.${name}\` differs from the requested one`,
    );
  }
}
