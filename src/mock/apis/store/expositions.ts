import type { Exposition, ExpositionInput, ExpositionUpsert } from "../../../../generated/store.ts";
import { type ApiResponse, type Issue, ok } from "../../http/api-response.ts";
import type { MockReadings } from "../../server/readings.ts";
import { duplicateIssues, type Identity, withoutDuplicates } from "./duplicates.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { notFound } from "./errors.ts";
import { externalIdOf, requireStore, storeOf } from "./path-ids.ts";
import { omitNullProperty } from "./response-rows.ts";

/** `GET /v1/stores/{externalId}/expositions` */
export const getExpositions: StoreHandler = {
  find: requireStore,
  run: (context) => expositionList(context, storedExpositions(context)),
};

/** `PUT /v1/stores/{externalId}/expositions` */
export const putExpositions: StoreHandler<ExpositionUpsert> = {
  find: requireStore,
  check: (context) => [
    ...duplicateIssues(context.body.expositions, "expositions", identityIn(context), context.readings),
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
    const isShown = (row: Exposition) =>
      readings["expositions.response"] === "all" || sent.has(row.expositionId);
    return expositionList(context, rows.filter(isShown));
  },
};

type UpsertContext = StoreContext<ExpositionUpsert>;

function storedExpositions(context: StoreContext): Exposition[] {
  return context.data.expositions.get(externalIdOf(context)) ?? [];
}

function expositionId(input: ExpositionInput): string | undefined {
  return input.expositionId?.toLowerCase();
}

/** Returns the properties by which an element without an ID is matched. gap expositions.matching */
const MATCH_KEYS: Record<
  MockReadings["expositions.matching"],
  (row: ExpositionInput) => readonly string[] | undefined
> = {
  "always-new": () => undefined,
  label: ({ label }) => [label],
  type: ({ expositionType }) => [expositionType],
  "label-and-type": ({ label, expositionType }) => [label, expositionType],
};

function matchKey({ readings }: StoreContext, row: ExpositionInput): string | undefined {
  const key = MATCH_KEYS[readings["expositions.matching"]](row);
  return key && JSON.stringify(key);
}

/** Two elements that mean the same exposition are duplicates. gap lists.duplicates */
function identityIn(context: StoreContext): Identity<ExpositionInput> {
  return (input) => expositionId(input) ?? matchKey(context, input);
}

/** Returns the stores that have the expositions which an upsert names and the store does not have, by their ID. */
function foreignOwners(context: UpsertContext): Map<string, string> {
  const { data, readings } = context;
  const owners = new Map<string, string>();
  if (readings["expositions.foreign-id"] === "unknown") return owners;
  const own = externalIdOf(context);
  const named = new Set(context.body.expositions.map(expositionId));
  for (const key of data.expositions.keys()) {
    if (key === own) continue;
    for (const { expositionId: id } of data.expositions.read(key) ?? [])
      if (named.has(id.toLowerCase())) owners.set(id.toLowerCase(), key);
  }
  return owners;
}

/** Moves the expositions of other stores that an upsert names to its store. gap expositions.foreign-id */
function moveForeign(context: UpsertContext): void {
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
function unknownIds(context: UpsertContext): number[] {
  const isMoving = context.readings["expositions.foreign-id"] === "moved";
  const foreign = isMoving ? foreignOwners(context).keys() : [];
  const known = new Set([
    ...storedExpositions(context).map((row) => row.expositionId.toLowerCase()),
    ...foreign,
  ]);
  return context.body.expositions.flatMap((input, index) => {
    const id = expositionId(input);
    return id === undefined || known.has(id) ? [] : [index];
  });
}

function unknownIdIssues(context: UpsertContext): Issue[] {
  if (context.readings["expositions.unknown-id"] !== "invalid") return [];
  return unknownIds(context).map((index) => ({
    path: `expositions.${index}.expositionId`,
    message: "is not an exposition of this store",
  }));
}

interface Upserted {
  readonly rows: Exposition[];
  /** The IDs of those that the request created or changed. */
  readonly sent: ReadonlySet<string>;
}

function upsertExpositions(context: UpsertContext): Upserted {
  const rows = [...storedExpositions(context)];
  const elements = withoutDuplicates(context.body.expositions, identityIn(context), context.readings);
  const named = new Set(elements.map(expositionId));
  const unnamed = new Set(
    rows.map(({ expositionId: id }) => id).filter((id) => !named.has(id.toLowerCase())),
  );
  const sent = new Set<string>();
  for (const input of elements) {
    const index = meantIndex(context, input, rows, unnamed);
    const row = writeExposition(context, input, rows[index]);
    rows.splice(index === -1 ? rows.length : index, 1, row);
    sent.add(row.expositionId);
  }
  return { rows: withoutAbsent(context, rows, sent), sent };
}

/** Returns the place of the exposition that an element means; without an ID that is a stored one which no element names. */
function meantIndex(
  context: StoreContext,
  input: ExpositionInput,
  rows: readonly Exposition[],
  unnamed: ReadonlySet<string>,
): number {
  const id = expositionId(input);
  if (id !== undefined) return rows.findIndex((row) => row.expositionId.toLowerCase() === id);
  const key = matchKey(context, input);
  if (key === undefined) return -1;
  return rows.findIndex((row) => unnamed.has(row.expositionId) && matchKey(context, row) === key);
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
  sent: ReadonlySet<string>,
): Exposition[] {
  switch (readings["expositions.absent"]) {
    case "keep":
      return [...rows];
    case "disable":
      return rows.map((row) => (sent.has(row.expositionId) ? row : { ...row, status: "disabled" }));
    case "delete":
      return rows.filter((row) => sent.has(row.expositionId));
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
