import type { Exposition, ExpositionInput, ExpositionUpsert } from "../../../../generated/store.ts";
import { type ApiResponse, type Issue, ok } from "../../http/api-response.ts";
import { withoutDuplicates, duplicateIssues } from "./duplicates.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { notFound } from "./errors.ts";
import { externalIdOf, requireStore, storeOf } from "./path-ids.ts";
import { omitNullProperty } from "./nullable-properties.ts";

/** `GET /v1/stores/{externalId}/expositions` */
export const getExpositions: StoreHandler = {
  find: requireStore,
  run: (context) => expositionList(context, storedExpositions(context)),
};

/** `PUT /v1/stores/{externalId}/expositions` */
export const putExpositions: StoreHandler = {
  find: requireStore,
  check: (context) => [
    ...duplicateIssues(inputs(context), "expositions", expositionId, context.readings),
    ...unknownIdIssues(context),
  ],
  run: (context) => {
    const { data, readings } = context;
    const isForeign = foreignOwners(context).size > 0;
    const isRejected =
      (isForeign && readings["expositions.foreign-id"] === "rejected") ||
      (readings["expositions.unknown-id"] === "not-found" && unknownIds(context).length > 0);
    if (isRejected) return notFound("exposition", readings);
    moveForeign(context);
    const { rows, sent } = upsertExpositions(context);
    data.expositions.set(externalIdOf(context), rows);
    // gap expositions.response
    return expositionList(context, readings["expositions.response"] === "sent" ? sent : rows);
  },
};

function inputs({ body }: StoreContext): ExpositionInput[] {
  return (body as ExpositionUpsert).expositions;
}

function storedExpositions(context: StoreContext): Exposition[] {
  return context.data.expositions.get(externalIdOf(context)) ?? [];
}

/** Identifies an element. gap lists.duplicates */
function expositionId(input: ExpositionInput): string | undefined {
  return input.expositionId?.toLowerCase();
}

/** Returns the stores that have the expositions which an upsert names and the store does not have, by their ID. */
function foreignOwners(context: StoreContext): Map<string, string> {
  const { data, readings } = context;
  const owners = new Map<string, string>();
  if (readings["expositions.foreign-id"] === "unknown") return owners;
  const own = externalIdOf(context);
  const named = new Set(inputs(context).map(expositionId));
  for (const key of data.expositions.keys()) {
    if (key === own) continue;
    for (const { expositionId: id } of data.expositions.read(key) ?? [])
      if (named.has(id.toLowerCase())) owners.set(id.toLowerCase(), key);
  }
  return owners;
}

/** Moves the expositions of other stores that an upsert names to its store. gap expositions.foreign-id */
function moveForeign(context: StoreContext): void {
  const { data, readings } = context;
  if (readings["expositions.foreign-id"] !== "moved") return;
  for (const [id, key] of foreignOwners(context)) {
    const rows = data.expositions.get(key) ?? [];
    const isMoved = (row: Exposition) => row.expositionId.toLowerCase() === id;
    data.expositions.set(
      key,
      rows.filter((row) => !isMoved(row)),
    );
    data.expositions.set(externalIdOf(context), [...storedExpositions(context), ...rows.filter(isMoved)]);
  }
}

/** Returns the indices of the elements whose ID the store does not have. gap expositions.unknown-id */
function unknownIds(context: StoreContext): number[] {
  const isMoving = context.readings["expositions.foreign-id"] === "moved";
  const foreign = isMoving ? foreignOwners(context).keys() : [];
  const known = new Set([
    ...storedExpositions(context).map((row) => row.expositionId.toLowerCase()),
    ...foreign,
  ]);
  return inputs(context).flatMap((input, index) => {
    const id = expositionId(input);
    return id === undefined || known.has(id) ? [] : [index];
  });
}

function unknownIdIssues(context: StoreContext): Issue[] {
  if (context.readings["expositions.unknown-id"] !== "invalid") return [];
  return unknownIds(context).map((index) => ({
    path: `expositions.${index}.expositionId`,
    message: "is not an exposition of this store",
  }));
}

interface Upserted {
  /** All expositions of the store. */
  readonly rows: Exposition[];
  /** Those that the request created or changed. */
  readonly sent: Exposition[];
}

function upsertExpositions(context: StoreContext): Upserted {
  const sent: Exposition[] = [];
  const next = [...storedExpositions(context)];
  const absent = new Set(next);
  const positions = new Map(next.map((row, index) => [row.expositionId.toLowerCase(), index]));
  for (const input of withoutDuplicates(inputs(context), expositionId, context.readings)) {
    const id = expositionId(input);
    const at = id === undefined ? matchingIndex(context, input, next, absent) : positions.get(id);
    const target = at === undefined ? undefined : next[at];
    const row = writeExposition(context, input, target);
    positions.set(row.expositionId.toLowerCase(), target === undefined ? next.length : (at as number));
    if (target === undefined) next.push(row);
    else next[at as number] = row;
    if (target !== undefined) absent.delete(target);
    sent.push(row);
  }
  return { rows: withoutAbsent(context, next, absent), sent };
}

function matchingIndex(
  context: StoreContext,
  input: ExpositionInput,
  rows: readonly Exposition[],
  absent: ReadonlySet<Exposition>,
): number {
  if (context.readings["expositions.matching"] === "always-new") return -1;
  return rows.findIndex((row) => absent.has(row) && isMeant(context, input, row));
}

/** Whether an element without an ID matches a stored exposition. gap expositions.matching */
function isMeant({ readings }: StoreContext, input: ExpositionInput, row: Exposition): boolean {
  switch (readings["expositions.matching"]) {
    case "always-new":
      return false;
    case "label":
      return row.label === input.label;
    case "type":
      return row.expositionType === input.expositionType;
    case "label-and-type":
      return row.label === input.label && row.expositionType === input.expositionType;
  }
}

function writeExposition(
  { ids, readings }: StoreContext,
  input: ExpositionInput,
  target: Exposition | undefined,
): Exposition {
  const given = readings["expositions.unknown-id"] === "created" ? input.expositionId : undefined;
  // gap expositions.omitted-title
  const before = readings["expositions.omitted-title"] === "kept" ? (target?.friendlyTitle ?? null) : null;
  return {
    expositionId: target?.expositionId ?? given ?? ids.uuid(),
    label: input.label,
    friendlyTitle: input.friendlyTitle === undefined ? before : input.friendlyTitle,
    productCategories: input.productCategories,
    expositionType: input.expositionType,
    status: input.status ?? "active",
  };
}

/** gap expositions.absent */
function withoutAbsent(
  { readings }: StoreContext,
  rows: readonly Exposition[],
  absent: ReadonlySet<Exposition>,
): Exposition[] {
  switch (readings["expositions.absent"]) {
    case "keep":
      return [...rows];
    case "disable":
      return rows.map((row) => (absent.has(row) ? { ...row, status: "disabled" } : row));
    case "delete":
      return rows.filter((row) => !absent.has(row));
  }
}

function expositionList(context: StoreContext, rows: readonly Exposition[]): ApiResponse {
  const { externalId, storeId } = storeOf(context);
  // gap expositions.disabled
  const isListed = (row: Exposition) =>
    context.readings["expositions.disabled"] === "listed" || row.status !== "disabled";
  const items = omitNullProperty(rows.filter(isListed), "friendlyTitle", context.readings);
  return ok({ externalId, storeId, items });
}
