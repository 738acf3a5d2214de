import { objectOf } from "../wire/json.ts";
import { type Equals, escapeHidden, type Part, parts } from "./parts.ts";
import { type ChangedRow, type FailedRow, openOf, type StorePlan } from "./plan.ts";

/** The options of `formatPlan`: those with which the plan was made, and its own. */
export interface FormatOptions {
  equals?: Equals | undefined;
  /** The largest number of rows (default: 100). The others are counted. */
  limit?: number | undefined;
}

/**
 * Returns a plan as text for a person: the failed rows, each property that `applyPlan` would write with its old and new value,
 * each element that it would remove or add, and a summary. Characters that nobody can see are escaped.
 * @example console.log(formatPlan(await planStores(rows, store)));
 */
export function formatPlan(plan: StorePlan, options: FormatOptions = {}): string {
  const { create, update, unchanged, failed, extra } = plan;
  const { limit = 100 } = options;
  const changed: ChangedRow[] = [...create, ...update].toSorted((a, b) => a.row - b.row);
  const rows: (FailedRow | ChangedRow)[] = [...failed, ...changed];
  const shown = rows.slice(0, limit).flatMap((row) => formatRow(row, options));
  const hidden = rows.length > limit ? [`… and ${rows.length - limit} more rows`] : [];
  const summary =
    `${rows.length + unchanged.length} rows: ${create.length} to create, ${update.length} to update, ` +
    `${unchanged.length} unchanged, ${failed.length} failed. ` +
    `Stores of the service that are in no row and stay as they are: ${extra.length}`;
  return [...shown, ...hidden, summary].join("\n");
}

function formatRow(row: FailedRow | ChangedRow, { equals }: FormatOptions): string[] {
  const place = `${toText(row.externalId)} (row ${row.row})`;
  if ("message" in row) return [`failed ${place}: ${escapeHidden(row.message)}`];
  const lines = Object.values(parts).flatMap((part) => formatPart(part, row, equals));
  const action = row.before === undefined ? "create" : "update";
  return [`${action} ${place}`, ...lines.map((line) => `  ${line}`)];
}

/** Returns a line for each property, and for each element of a list that is removed or added. One that changes is both. */
function formatPart(part: Part, { changes, before }: ChangedRow, equals?: Equals): string[] {
  const { name } = part;
  if (name === "store")
    return Object.entries(part.pick(changes)).map(([property, value]) => {
      const old = before === undefined ? "" : `${toText(objectOf(before)[property])} → `;
      return `${property}: ${old}${toText(value)}`;
    });
  const wanted = changes[name];
  if (wanted === undefined) return [];
  const now = before?.[name] ?? [];
  const { lost, left } = part.match(openOf(part, wanted, now, equals) ?? now, now, equals);
  return [
    ...left.map((element) => `${name} - ${toText(element)}`),
    ...lost.map(({ element }) => `${name} + ${toText(element)}`),
  ];
}

function toText(value: unknown): string {
  return escapeHidden(JSON.stringify(value) ?? "null");
}
