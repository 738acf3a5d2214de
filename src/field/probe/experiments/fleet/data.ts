import { fleetOperations } from "../../../../../generated/fleet.operations.ts";
import type { Operation } from "../../../../wire/operation.ts";
import { pathSegment } from "../../../../wire/path-segment.ts";
import { FLEET_PATHS, largestPage } from "../../../routes.ts";
import { succeeds } from "../../controls.ts";
import { type Exchange, isOk, paginationOf, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, type Shown, observation } from "../../experiment.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import type { ReadOptions } from "../../service.ts";

export const FIELDS = FLEET_PATHS.vehicleFields;
export const TEMPLATES = FLEET_PATHS.inspectionTemplates;

/** Returns the paths of the lists whose shape the contract shows, or of the other ones. */
function listsThat(areDocumented: boolean): readonly string[] {
  const rows: readonly Operation[] = Object.values(fleetOperations);
  const paths: readonly string[] = Object.values(FLEET_PATHS);
  return rows.flatMap(({ path, list }) =>
    list?.isDocumented === areDocumented && paths.includes(path) ? path : [],
  );
}

/** Lists whose shape the contract shows. */
export const DESCRIBED = listsThat(true);

/** The lists without a described shape. */
export const UNDOCUMENTED = listsThat(false);

/** Lists of which a key can usually read one. */
export const LISTS = [...DESCRIBED, ...UNDOCUMENTED];

export function fieldVehicles(id: string): string {
  return `${FIELDS}/${pathSegment(id)}/vehicles`;
}

/**
 * Returns the first page of a list, with the largest page size of the contract. @throws {Missing} if the key may
 * not read it
 */
export async function listOf(
  tools: ExperimentTools,
  path: string,
  query: Record<string, string> = {},
  options: ReadOptions = {},
): Promise<Exchange> {
  const exchange = await fleetOf(tools).get(path, { ...largestPage(path), ...query }, options);
  if (isOk(exchange)) return exchange;
  throw new Missing(`a key that may read ${path}`);
}

/** Returns the ID of the first row of a list. @throws {Missing} if the list is empty */
export async function firstIdIn(tools: ExperimentTools, path: string, needs: string): Promise<string> {
  const [id] = idsIn(rowsOf(await listOf(tools, path)));
  if (id === undefined) throw new Missing(needs);
  return id;
}

/** Yields the first pages of those lists that the key may read. */
export async function* readableLists(
  tools: ExperimentTools,
  paths: readonly string[],
): AsyncGenerator<Exchange, void> {
  for (const path of unseenFirst(tools, paths)) {
    const page = await fleetOf(tools).get(path, largestPage(path));
    if (isOk(page)) yield page;
  }
}

/** Returns the first list that the key may read. @throws {Missing} if there is none */
export async function readableList(tools: ExperimentTools): Promise<string> {
  for await (const { path } of readableLists(tools, LISTS)) return path;
  throw new Missing("a list that the key may read");
}

/** The name of the vehicles of a field, as a part of a question about lists. */
export const ENTRIES = "vehicles of a field";

/** The parts of a question about the lists with a described shape. */
export const DESCRIBED_PARTS = [...DESCRIBED, ENTRIES];

/** The number of fields whose vehicles are read. */
const MAX_FIELDS = 2;

/** Returns the paths of the vehicles of some fields. */
export async function entryPaths(tools: ExperimentTools): Promise<string[]> {
  return idsIn(rowsOf(await listOf(tools, FIELDS)))
    .slice(0, MAX_FIELDS)
    .map(fieldVehicles);
}

/** Yields the first pages of the lists with a described shape and at least two rows. */
export async function* describedLists(
  tools: ExperimentTools,
): AsyncGenerator<{ part: string; whole: Exchange }, void> {
  for await (const whole of readableLists(tools, DESCRIBED))
    if (totalOf(whole) >= 2) yield { part: whole.path, whole };
  // the first round asks as little as possible
  if (tools.round === 1) return;
  for (const path of await entryPaths(tools)) {
    const whole = await fleetOf(tools).get(path, largestPage(path));
    if (isOk(whole) && totalOf(whole) >= 2) yield { part: ENTRIES, whole };
  }
}

/** Asks for a list, and examines its rows one after another. */
export async function* examineRows<Observed>(
  tools: ExperimentTools,
  path: string,
  examine: (row: JsonObject) => Shown<Observed> | undefined,
): AsyncGenerator<ExperimentResult<Observed>, void> {
  const page = await tools.ask(fleetOf(tools), path, largestPage(path));
  const rows = rowsOf(page);
  for (const id of unseenFirst(tools, idsIn(rows))) {
    const found = examine(rows.find((row) => row.id === id) ?? {});
    if (found !== undefined) yield observation(id, found.observed, found.reason, [succeeds(page)]);
  }
}

/** Returns the number of rows of a list; if the list does not contain it, the number of rows of the page. */
export function totalOf(exchange: Exchange): number {
  const total = paginationOf(exchange)?.totalCount;
  return typeof total === "number" ? total : rowsOf(exchange).length;
}

/** Whether a page contains the whole list. */
export function isWhole(exchange: Exchange): boolean {
  return totalOf(exchange) === rowsOf(exchange).length;
}

export function idsIn(rows: readonly JsonObject[], property = "id"): string[] {
  return rows.flatMap((row) => (typeof row[property] === "string" ? [row[property]] : []));
}
