import type { JsonObject } from "../../../generated/fleet.ts";
import type { Issue } from "../answer.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import { envelope } from "./envelope.ts";
import { notFound } from "./errors.ts";
import { matches } from "./filters.ts";
import { isObject, textOf, textsIn } from "./members.ts";
import { pageAnswer } from "./page.ts";
import { added, created, deletable, deleted, known, put, readable, readRow } from "./rows.ts";
import { inspectionCounts, templateView } from "./template-view.ts";

/** `GET /inspection-templates` */
export const listInspectionTemplates: FleetHandler = {
  check: checkFilters,
  run: (context) => {
    const { data, readings } = context;
    const rows = [...data.inspectionTemplates.values()].filter((row) => isWanted(row, context));
    const counts = inspectionCounts(data);
    const view = (row: JsonObject) => templateView(row, counts.get(row.id as string) ?? 0, readings);
    return pageAnswer(context, {
      count: rows.length,
      slice: (from, to) => rows.slice(from, to).map(view),
    });
  },
};

/** `GET /inspection-templates/{id}` (gap templates.get-one) */
export const getInspectionTemplate: FleetHandler = {
  find: (context) =>
    context.readings["templates.get-one"] === "absent"
      ? notFound("path")
      : readable("inspectionTemplates")(context),
  run: (context) => {
    const { data, readings } = context;
    const row = readRow(context, "inspectionTemplates") ?? {};
    if (readings["templates.get-one"] === "by-path") return envelope(row);
    return envelope(templateView(row, inspectionCounts(data).get(row.id as string) ?? 0, readings));
  },
};

/** `POST /inspection-templates` */
export const createInspectionTemplate: FleetHandler = {
  run: (context) => created(context, added(context, "inspectionTemplates", newTemplate(context))),
};

/** `PUT /inspection-templates/{id}` */
export const updateInspectionTemplate: FleetHandler = {
  find: known("inspectionTemplates"),
  run: (context) => {
    const { createdAt } = readRow(context, "inspectionTemplates") ?? {};
    // Its times are the server's: a body that came out of the list carries old ones.
    const body = { ...withItemIds(context), createdAt, updatedAt: now(context) };
    const upkeep = { given: BEGUN, kept: ["version"] };
    return envelope(put({ ...context, body }, "inspectionTemplates", upkeep));
  },
};

/** `DELETE /inspection-templates/{id}` */
export const deleteInspectionTemplate: FleetHandler = {
  find: deletable("inspectionTemplates"),
  run: (context) => deleted(context, "inspectionTemplates"),
};

/** What a template begins with, unless its body says otherwise. */
const BEGUN: JsonObject = { version: 1, isActive: true };

function newTemplate(context: FleetContext): JsonObject {
  const at = now(context);
  return { ...BEGUN, ...withItemIds(context), createdAt: at, updatedAt: at };
}

function now({ clock }: FleetContext): string {
  return clock.now().toISOString();
}

/** The body, whose items get the ids that they lack, so that responses can refer to them. */
function withItemIds({ body, ids }: FleetContext): JsonObject {
  const given = body as JsonObject;
  if (!Array.isArray(given.items)) return given;
  const items = given.items.map((item: unknown) =>
    isObject(item) && textOf(item.id) === undefined ? { ...item, id: ids.uuid() } : item,
  );
  return { ...given, items };
}

/** The names of the two filters that are not shown. gaps templates.group-filter, templates.title-filter */
function hiddenFilters({ query, readings }: FleetContext): { group: unknown; title: unknown } {
  return {
    group: query[readings["templates.group-filter"]],
    title: query[readings["templates.title-filter"]],
  };
}

/** The schema knows the default names of both filters alone. */
function checkFilters(context: FleetContext): Issue[] {
  const { query, readings } = context;
  return [readings["templates.group-filter"], readings["templates.title-filter"]]
    .filter((name) => Array.isArray(query[name]))
    .map((path) => ({ path, message: "must be given once", code: "invalid_type" }));
}

/** A template is of the groups that its `groupIds` names, as a vehicle field is. */
function isWanted(row: JsonObject, context: FleetContext): boolean {
  const { query, readings } = context;
  const { group, title } = hiddenFilters(context);
  // gap templates.inactive
  const isActive = query.isActive ?? (readings["templates.inactive"] === "active-only" ? true : undefined);
  if (isActive !== undefined && (row.isActive === true) !== isActive) return false;
  if (typeof group === "string" && !textsIn(row.groupIds).includes(group)) return false;
  return typeof title !== "string" || matches(title, [row.title]);
}
