import type { JsonObject } from "../../../generated/fleet.ts";
import { stringsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import { refuse } from "../server/exchange.ts";
import type { FleetRow } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { matchesSearch, pageReply, rowsIn } from "./pages.ts";
import { handlersOf, withElementIds } from "./resources.ts";
import { inspectionCounts, templateView } from "./views.ts";

const written = handlersOf("inspectionTemplates", {
  defaults: () => ({ version: 1, isActive: true }),
  preserved: ["version"], // gap templates.version-after-put
  // the server sets the times: a body that was read from the list has old times
  stored: (call, body, before) => {
    const now = call.server.clock.now().toISOString();
    return { ...withElementIds(call, body, "items"), createdAt: before?.createdAt ?? now, updatedAt: now };
  },
});

export const inspectionTemplates = {
  ...written,
  list: {
    run: (call: FleetCall) => {
      const all = rowsIn(call, "inspectionTemplates");
      const isIncluded = templateFilter(call);
      const rows = all.slice(0, all.count).filter(isIncluded);
      const counts = inspectionCounts(call.fleet);
      const show = (row: FleetRow) => templateView(row, counts.get(row.id) ?? 0);
      return pageReply(call, { count: rows.length, slice: (from, to) => rows.slice(from, to).map(show) });
    },
  },
  get: {
    ...written.get,
    find: (call: FleetCall) => {
      if (call.is("templates.get-one", "absent")) refuseUnknown("path");
      written.get.find?.(call);
    },
  },
};

/**
 * Returns the filter of the list. Like a vehicle field, a template belongs to the groups in its `groupIds`. gaps
 * templates.inactive, templates.group-filter, templates.title-filter
 */
function templateFilter({ query, is, server: { readings } }: FleetCall): (row: JsonObject) => boolean {
  // the schema only knows the default names of two filters
  const [group, title] = [readings["templates.group-filter"], readings["templates.title-filter"]].map(
    (name) => {
      if (Array.isArray(query[name])) refuse(name, "must be given once", "invalid_type");
      return query[name];
    },
  );
  const isActive = query.isActive ?? (is("templates.inactive", "active-only") ? true : undefined);
  return (row) =>
    (isActive === undefined || (row.isActive === true) === isActive) &&
    (typeof group !== "string" || stringsIn(row.groupIds).includes(group)) &&
    (typeof title !== "string" || matchesSearch(title, [row.title]));
}
