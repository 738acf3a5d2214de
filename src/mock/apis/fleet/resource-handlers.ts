import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetContext, FleetHandler } from "./context.ts";
import type { FleetRow } from "./data.ts";
import { deleteRow, dependentIssues } from "./deletions.ts";
import { envelope } from "./envelope.ts";
import type { WrittenResource } from "./invented-properties.ts";
import { rowsIn, undocumentedPageResponse } from "./page.ts";
import { patchIssues, withChanges } from "./patches.ts";
import { withRepeatedPosts } from "./repeated-posts.ts";
import {
  type ReplaceRules,
  addRow,
  createdResponse,
  patchRow,
  readRow,
  replaceRow,
  requireDeletable,
  requireReadable,
  requireRow,
} from "./rows.ts";

/** The operations that a resource can have. */
type ResourceHandlers = Readonly<
  Record<"list" | "get" | "create" | "replace" | "patch" | "delete", FleetHandler>
>;

/** A function that returns the row that a write has stored. */
type Write = (context: FleetContext) => FleetRow;

type View = (row: FleetRow, context: FleetContext) => JsonObject;

/** The differences of a resource from a collection of open objects. */
interface ResourceRules extends Omit<ReplaceRules, "defaults"> {
  /** The values of a new row that documented responses show, whatever its body has. */
  readonly defaults?: ((context: FleetContext) => JsonObject) | undefined;
  /** The response of the GET of one row. Default: the row. */
  readonly detail?: View;
  /** The response to a write. Default: the row. */
  readonly summary?: View;
  readonly add?: Write;
  readonly replace?: Write;
  readonly patch?: Write;
}

/** Returns the operations of a resource. */
export function resourceHandlers(resource: WrittenResource, rules: ResourceRules = {}): ResourceHandlers {
  const { detail = theRow, summary = theRow } = rules;
  const own = { ...openWrites(resource, rules), ...rules };
  const opaque = openWrites(resource, { defaults: rules.defaults });
  // gap fleet.input-shapes: a template keeps its version and times, which the documented list shows
  const isOpaque = ({ readings }: FleetContext): boolean =>
    readings["fleet.input-shapes"] === "opaque" && resource !== "inspectionTemplates";
  const write = (name: "replace" | "patch", context: FleetContext): JsonObject =>
    isOpaque(context) ? opaque[name](context) : summary(own[name](context), context);
  return {
    list: { run: (context) => undocumentedPageResponse(context, rowsIn(context, resource)) },
    get: {
      find: requireReadable(resource),
      run: (context) => envelope(detail(readRow(context, resource) ?? { id: context.params.id }, context)),
    },
    create: withRepeatedPosts(resource, {
      run: (context) => {
        if (!isOpaque(context)) return createdResponse(context, summary(own.add(context), context));
        return createdResponse(context, { ...context.body, id: opaque.add(context).id });
      },
    }),
    replace: { find: requireRow(resource), run: (context) => envelope(write("replace", context)) },
    patch: {
      find: requireRow(resource),
      check: patchIssues,
      run: (context) => envelope(write("patch", withChanges(context))),
    },
    delete: {
      find: requireDeletable(resource),
      check: dependentIssues(resource),
      run: (context) => deleteRow(context, resource),
    },
  };
}

function theRow(row: FleetRow): JsonObject {
  return row;
}

/** Writes that store a body as it is. */
function openWrites(
  resource: WrittenResource,
  { defaults, preserved, synonyms }: ResourceRules,
): Readonly<Record<"add" | "replace" | "patch", Write>> {
  const initial = (context: FleetContext): JsonObject => defaults?.(context) ?? {};
  return {
    add: (context) => addRow(context, resource, { ...initial(context), ...context.body }),
    replace: (context) => replaceRow(context, resource, { defaults: initial(context), preserved, synonyms }),
    patch: (context) => patchRow(context, resource, synonyms),
  };
}
