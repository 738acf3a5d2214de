import type { JsonObject } from "../../../../generated/fleet.ts";
import type { Issue } from "../../http/api-response.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import type { FleetRow } from "./data.ts";
import { notFound } from "./errors.ts";
import { matches, pageResponse, rowsIn } from "./page.ts";
import { isObject, stringsIn } from "../../../wire/json.ts";
import { stringOf } from "./properties.ts";
import { resourceHandlers } from "./resource-handlers.ts";
import { addRow, readRow, replaceRow } from "./rows.ts";
import { inspectionCounts, templateView } from "./views.ts";

/** Defaults of a new template. */
const INITIAL: JsonObject = { version: 1, isActive: true };

/** `GET /inspection-templates` */
const list: FleetHandler = {
  check: checkFilters,
  run: (context) => {
    const { data, readings } = context;
    const rows = rowsIn(context, "inspectionTemplates")
      .slice(0, Infinity)
      .filter((row) => isIncluded(row, context));
    const counts = inspectionCounts(data);
    const view = (row: FleetRow) => templateView(row, counts.get(row.id) ?? 0, readings);
    return pageResponse(context, {
      count: rows.length,
      slice: (from, to) => rows.slice(from, to).map(view),
    });
  },
};

const written = resourceHandlers("inspectionTemplates", {
  add: (context) => addRow(context, "inspectionTemplates", newTemplate(context)),
  replace: (context) => {
    const before = { ...readRow(context, "inspectionTemplates") };
    // The server sets the times: a body that was read from the list has old times.
    const body = { ...withItemIds(context), createdAt: before.createdAt, updatedAt: now(context) };
    const row = replaceRow({ ...context, body }, "inspectionTemplates", {
      defaults: INITIAL,
      preserved: ["version"],
    });
    if (raisesVersion(context, before, row)) row.version = versionOf(before) + 1;
    return row;
  },
  // gap templates.get-one
  detail: (row, { data, readings }) =>
    readings["templates.get-one"] === "by-path"
      ? row
      : templateView(row, inspectionCounts(data).get(row.id) ?? 0, readings),
});

export const inspectionTemplates = {
  ...written,
  list,
  /** gap templates.get-one */
  get: {
    ...written.get,
    find: (context: FleetContext) =>
      context.readings["templates.get-one"] === "absent" ? notFound("path") : written.get.find?.(context),
  },
};

/** gap templates.version-after-put */
function raisesVersion({ readings }: FleetContext, before: JsonObject, after: JsonObject): boolean {
  switch (readings["templates.version-after-put"]) {
    case "stays":
      return false;
    case "each-put":
      return true;
    case "changes-only":
      return contentOf(before) !== contentOf(after);
  }
}

function contentOf({ version: _version, updatedAt: _updatedAt, ...content }: JsonObject): string {
  return JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function versionOf({ version }: JsonObject): number {
  return typeof version === "number" ? version : 0;
}

function newTemplate(context: FleetContext): JsonObject {
  const at = now(context);
  return { ...INITIAL, ...withItemIds(context), createdAt: at, updatedAt: at };
}

function now({ clock }: FleetContext): string {
  return clock.now().toISOString();
}

/** Returns the body with an ID for each item, so that responses can refer to it. */
function withItemIds({ body, ids }: FleetContext): JsonObject {
  const given = body;
  if (!Array.isArray(given.items)) return given;
  const items = given.items.map((item: unknown) =>
    isObject(item) && stringOf(item.id) === undefined ? { ...item, id: ids.uuid() } : item,
  );
  return { ...given, items };
}

/**
 * Returns the two filters whose names the contract does not show. gaps templates.group-filter, templates.title-filter
 */
function undocumentedFilters({ query, readings }: FleetContext): { group: unknown; title: unknown } {
  return {
    group: query[readings["templates.group-filter"]],
    title: query[readings["templates.title-filter"]],
  };
}

/** Checks the two filters: the schema only knows their default names. */
function checkFilters(context: FleetContext): Issue[] {
  const { query, readings } = context;
  return [readings["templates.group-filter"], readings["templates.title-filter"]]
    .filter((name) => Array.isArray(query[name]))
    .map((path) => ({ path, message: "must be given once", code: "invalid_type" }));
}

/** Like a vehicle field, a template belongs to the groups in its `groupIds`. */
function isIncluded(row: JsonObject, context: FleetContext): boolean {
  const { query, readings } = context;
  const { group, title } = undocumentedFilters(context);
  // gap templates.inactive
  const isActive = query.isActive ?? (readings["templates.inactive"] === "active-only" ? true : undefined);
  if (isActive !== undefined && (row.isActive === true) !== isActive) return false;
  if (typeof group === "string" && !stringsIn(row.groupIds).includes(group)) return false;
  return typeof title !== "string" || matches(title, [row.title], readings);
}
