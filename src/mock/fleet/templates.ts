import type { JsonObject } from "../../../generated/fleet.ts";
import { stringsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import type { Issue } from "../server/exchange.ts";
import type { FleetRow } from "./data.ts";
import { refuseUnknown } from "./errors.ts";
import { matchesSearch, pageReply, rowsIn } from "./pages.ts";
import { handlersOf, withElementIds } from "./resources.ts";
import { addRow, readRow, replaceRow } from "./rows.ts";
import { inspectionCounts, templateView } from "./views.ts";

/** Defaults of a new template. */
const INITIAL: JsonObject = { version: 1, isActive: true };

const written = handlersOf("inspectionTemplates", {
  add: (call) => {
    const times = { createdAt: nowOf(call), updatedAt: nowOf(call) };
    return addRow(call, "inspectionTemplates", { ...INITIAL, ...withElementIds(call, "items"), ...times });
  },
  replace: replaceTemplate,
  // gap templates.get-one
  detail: (row, { fleet, is }) =>
    is("templates.get-one", "list-element")
      ? templateView(row, inspectionCounts(fleet).get(row.id) ?? 0, is)
      : row,
});

export const inspectionTemplates = {
  ...written,
  list: {
    check: filterIssues,
    run: (call: FleetCall) => {
      const all = rowsIn(call, "inspectionTemplates");
      const rows = all.slice(0, all.count).filter((row) => isIncluded(row, call));
      const counts = inspectionCounts(call.fleet);
      const show = (row: FleetRow) => templateView(row, counts.get(row.id) ?? 0, call.is);
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

function nowOf({ server }: FleetCall): string {
  return server.clock.now().toISOString();
}

/** The server sets the times: a body that was read from the list has old times. gap templates.version-after-put */
function replaceTemplate(call: FleetCall): FleetRow {
  const { is } = call;
  const before = { ...readRow(call, "inspectionTemplates") };
  const body = { ...withElementIds(call, "items"), createdAt: before.createdAt, updatedAt: nowOf(call) };
  const rules = { defaults: INITIAL, preserved: ["version"] };
  const row = replaceRow({ ...call, body }, "inspectionTemplates", rules);
  const isRaised =
    is("templates.version-after-put", "each-put") ||
    (is("templates.version-after-put", "changes-only") && contentOf(before) !== contentOf(row));
  if (isRaised) row.version = (typeof before.version === "number" ? before.version : 0) + 1;
  return row;
}

function contentOf({ version: _version, updatedAt: _updatedAt, ...content }: JsonObject): string {
  return JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the names of two filters that the contract does not show. gaps templates.group-filter, templates.title-filter */
function filterNames({ server: { readings } }: FleetCall): [group: string, title: string] {
  return [readings["templates.group-filter"], readings["templates.title-filter"]];
}

/** Checks the two filters: the schema only knows their default names. */
function filterIssues(call: FleetCall): Issue[] {
  return filterNames(call)
    .filter((name) => Array.isArray(call.query[name]))
    .map((path) => ({ path, message: "must be given once", code: "invalid_type" }));
}

/** Like a vehicle field, a template belongs to the groups in its `groupIds`. gap templates.inactive */
function isIncluded(row: JsonObject, call: FleetCall): boolean {
  const { query, is } = call;
  const [group, title] = filterNames(call).map((name) => query[name]);
  const isActive = query.isActive ?? (is("templates.inactive", "active-only") ? true : undefined);
  if (isActive !== undefined && (row.isActive === true) !== isActive) return false;
  if (typeof group === "string" && !stringsIn(row.groupIds).includes(group)) return false;
  return typeof title !== "string" || matchesSearch(title, [row.title], is);
}
