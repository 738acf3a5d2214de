import { escapeLine } from "../wire/message.ts";
import type { JsonObject } from "../wire/json.ts";
import { matchExpositions } from "./expositions.ts";
import type { ModifyOptions } from "./modify.ts";
import { type PartValues, partValues } from "./parts.ts";
import type { FailedRow, PlannedRow, PlannedStore, StoreChanges, StorePlan } from "./plan.ts";

/** The options of `formatPlan`: those with which the plan was made, and its own. */
export interface FormatOptions extends Pick<ModifyOptions, "equals"> {
  /** The largest number of rows, and of lines of a row (default: 100). The others are counted. */
  limit?: number | undefined;
}

/** A store to create or to update. */
interface ChangedRow extends PlannedRow {
  changes: StoreChanges;
  before?: PlannedStore;
}

/**
 * Returns a plan as text for a person: the failed rows, the old and the new value of each property and element that
 * `applyPlan` would write, and a summary. Characters that nobody can see are escaped.
 * @example console.log(formatPlan(await planStores(rows, store)));
 */
export function formatPlan(plan: StorePlan, options: FormatOptions = {}): string {
  const { create, update, unchanged, failed, extra } = plan;
  const { limit = 100 } = options;
  const changed: ChangedRow[] = [...create, ...update].toSorted((a, b) => a.row - b.row);
  const rows: (FailedRow | ChangedRow)[] = [...failed, ...changed];
  const shown = rows.slice(0, limit).flatMap((row) => formatRow(row, options, limit));
  const hidden = rows.length > limit ? [`… and ${rows.length - limit} more rows`] : [];
  const counts = [
    `${create.length} to create`,
    `${update.length} to update`,
    `${unchanged.length} unchanged`,
    `${failed.length} failed`,
  ];
  const summary =
    `${rows.length + unchanged.length} rows: ${counts.join(", ")}. ` +
    `Stores of the service that are in no row and stay as they are: ${extra.length}`;
  return [...shown, ...hidden, summary].join("\n");
}

function formatRow(row: FailedRow | ChangedRow, options: FormatOptions, limit: number): string[] {
  const place = `${toText(row.externalId)} (row ${row.row})`;
  if ("message" in row) return [`failed ${place}: ${escapeHidden(row.message)}`];
  const lines = Object.values(partValues).flatMap((part) => formatPart(part, row, options));
  const hidden = lines.length > limit ? [`… and ${lines.length - limit} more lines`] : [];
  const action = row.before === undefined ? "create" : "update";
  return [`${action} ${place}`, ...[...lines.slice(0, limit), ...hidden].map((line) => `  ${line}`)];
}

function formatPart(part: PartValues, { changes, before }: ChangedRow, options: FormatOptions): string[] {
  const { name } = part;
  if (name === "store") return formatProperties("", part.pick(changes), before && part.pick(before));
  const wanted = changes[name];
  if (wanted === undefined) return [];
  const now = before?.[name] ?? [];
  return name === "expositions"
    ? formatUpsert(part, wanted, now, options)
    : formatReplacement(part, wanted, now, options);
}

/** Returns a line for each property. */
function formatProperties(prefix: string, next: JsonObject, previous: JsonObject | undefined): string[] {
  return Object.entries(next).map(([name, value]) => {
    const old = previous === undefined ? "" : `${toText(previous[name] ?? null)} → `;
    return `${prefix}${name}: ${old}${toText(value)}`;
  });
}

/** A list that is replaced: its elements have no identity, and are matched by their values. */
function formatReplacement(
  part: PartValues,
  wanted: readonly object[],
  now: readonly object[],
  { equals }: FormatOptions,
): string[] {
  const { lost, left } = part.match(wanted, now, equals);
  return [
    ...left.map((element) => `${part.name} - ${toText(inOrder(part, element))}`),
    ...lost.map(({ element }) => `${part.name} + ${toText(inOrder(part, element))}`),
  ];
}

/** Elements that are created or updated; others stay. */
function formatUpsert(
  part: PartValues,
  wanted: readonly object[],
  now: readonly object[],
  options: FormatOptions,
): string[] {
  // those of the service come first
  return matchExpositions(part, now, wanted, options.equals).flatMap((next, index) => {
    const previous = now[index];
    if (previous === undefined) return [`${part.name} + ${toText(inOrder(part, next))}`];
    const old = part.complete(previous);
    const names = part.findDiffering(part.complete(next), old, options.equals);
    const changed = Object.entries(next).filter(([name]) => names.includes(name));
    const label = `${part.name} ${toText(old["label"])} (${escapeHidden(String(old[part.id]))}): `;
    return formatProperties(label, Object.fromEntries(changed), old);
  });
}

/** Returns the properties of an element as the contract orders them. */
function inOrder(part: PartValues, element: object): JsonObject {
  const values = part.complete(element);
  const names = part.sent.filter((name) => name in values);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function toText(value: unknown): string {
  return escapeHidden(JSON.stringify(value) ?? "null");
}

/** Escapes what nobody can see: also blanks that are not the usual one. */
function escapeHidden(text: string): string {
  return escapeLine(text).replaceAll(
    /(?! )\p{Zs}/gu,
    (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
