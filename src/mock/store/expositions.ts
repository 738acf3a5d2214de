import type { Exposition, ExpositionInput, ExpositionUpsert } from "../../../generated/store.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { type Issue, ok, type Reply } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import { refuseUnknown } from "./errors.ts";
import { externalIdOf, requireStore, storeOf } from "./ids.ts";
import { duplicateIssues, omitNullProperty, withoutDuplicates } from "./lists.ts";

type UpsertCall = StoreCall<ExpositionUpsert>;

/** `GET /v1/stores/{externalId}/expositions` */
export const getExpositions: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => respond(call, storedExpositions(call)),
};

/** `PUT /v1/stores/{externalId}/expositions` */
export const putExpositions: Handler<UpsertCall> = {
  find: requireStore,
  check: (call) => [
    ...duplicateIssues(call.body.expositions, "expositions", identityIn(call.is), call.is),
    ...unknownIdIssues(call),
  ],
  run: (call) => {
    const { store, is } = call;
    const isForeign = is("expositions.foreign-id", "rejected") && foreignOwners(call).size > 0;
    const isUnknown = is("expositions.unknown-id", "not-found") && unknownIds(call).length > 0;
    if (isForeign || isUnknown) refuseUnknown("exposition", is);
    if (is("expositions.foreign-id", "moved")) moveForeign(call);
    const { rows, sent } = upsertExpositions(call);
    store.expositions.set(externalIdOf(call), rows);
    // gap expositions.response
    return respond(
      call,
      is("expositions.response", "all") ? rows : rows.filter(({ expositionId }) => sent.has(expositionId)),
    );
  },
};

function respond(call: StoreCall, rows: readonly Exposition[]): Reply {
  const { externalId, storeId } = storeOf(call);
  // gap expositions.disabled
  const listed = call.is("expositions.disabled", "listed")
    ? rows
    : rows.filter(({ status }) => status !== "disabled");
  return ok({ externalId, storeId, items: omitNullProperty(listed, "friendlyTitle", call.is) });
}

function storedExpositions(call: StoreCall): Exposition[] {
  return call.store.expositions.get(externalIdOf(call)) ?? [];
}

function givenId({ expositionId }: ExpositionInput): string | undefined {
  return expositionId?.toLowerCase();
}

/** Returns the content by which an element without an ID is matched. gap expositions.matching */
function matchKey({ label, expositionType }: ExpositionInput, is: Is): string | undefined {
  if (is("expositions.matching", "label")) return JSON.stringify([label]);
  if (is("expositions.matching", "type")) return JSON.stringify([expositionType]);
  return is("expositions.matching", "label-and-type") ? JSON.stringify([label, expositionType]) : undefined;
}

/** Two elements that mean the same exposition are duplicates. gap lists.duplicates */
function identityIn(is: Is): (input: ExpositionInput) => string | undefined {
  return (input) => givenId(input) ?? matchKey(input, is);
}

/** Returns the stores that have the expositions which an upsert names and the store does not have, by their ID. */
function foreignOwners(call: UpsertCall): Map<string, string> {
  const { store, body } = call;
  const owners = new Map<string, string>();
  const own = externalIdOf(call);
  const named = new Set(body.expositions.map(givenId));
  for (const key of store.expositions.keys())
    for (const { expositionId } of key === own ? [] : (store.expositions.read(key) ?? []))
      if (named.has(expositionId.toLowerCase())) owners.set(expositionId.toLowerCase(), key);
  return owners;
}

/** Moves the expositions of other stores that an upsert names to its store. gap expositions.foreign-id */
function moveForeign(call: UpsertCall): void {
  const { expositions } = call.store;
  for (const [id, key] of foreignOwners(call)) {
    const rows = expositions.get(key) ?? [];
    const moved = rows.filter(({ expositionId }) => expositionId.toLowerCase() === id);
    const kept = rows.filter((row) => !moved.includes(row));
    expositions.set(key, kept);
    expositions.set(externalIdOf(call), [...storedExpositions(call), ...moved]);
  }
}

/** Returns the indices of the elements whose ID the store does not have. gap expositions.unknown-id */
function unknownIds(call: UpsertCall): number[] {
  const foreign = call.is("expositions.foreign-id", "moved") ? foreignOwners(call).keys() : [];
  const own = storedExpositions(call).map(({ expositionId }) => expositionId.toLowerCase());
  const known = new Set([...own, ...foreign]);
  return call.body.expositions.flatMap((input, index) => {
    const id = givenId(input);
    return id === undefined || known.has(id) ? [] : [index];
  });
}

function unknownIdIssues(call: UpsertCall): Issue[] {
  if (!call.is("expositions.unknown-id", "invalid")) return [];
  const message = "is not an exposition of this store";
  return unknownIds(call).map((index) => ({ path: `expositions.${index}.expositionId`, message }));
}

/** Returns all expositions after an upsert, and the IDs of those that it created or changed. */
function upsertExpositions(call: UpsertCall): { rows: Exposition[]; sent: ReadonlySet<string> } {
  const { is } = call;
  const rows = [...storedExpositions(call)];
  const elements = withoutDuplicates(call.body.expositions, identityIn(is), is);
  const named = new Set(elements.map(givenId));
  // an element without an ID means a stored exposition that no element names
  const unnamed = new Set(
    rows.filter((row) => !named.has(givenId(row))).map(({ expositionId }) => expositionId),
  );
  const sent = new Set<string>();
  for (const input of elements) {
    const [id, key] = [givenId(input), matchKey(input, is)];
    const index = rows.findIndex((row) =>
      id === undefined
        ? key !== undefined && unnamed.has(row.expositionId) && matchKey(row, is) === key
        : givenId(row) === id,
    );
    const row = writeExposition(call, input, rows[index]);
    rows.splice(index === -1 ? rows.length : index, 1, row);
    sent.add(row.expositionId);
  }
  // gap expositions.absent
  if (is("expositions.absent", "delete"))
    return { rows: rows.filter((row) => sent.has(row.expositionId)), sent };
  if (is("expositions.absent", "keep")) return { rows, sent };
  return {
    rows: rows.map((row) => (sent.has(row.expositionId) ? row : { ...row, status: "disabled" })),
    sent,
  };
}

/** gaps expositions.unknown-id, expositions.omitted-title */
function writeExposition(
  { server, is }: StoreCall,
  input: ExpositionInput,
  target: Exposition | undefined,
): Exposition {
  const given = is("expositions.unknown-id", "created") ? input.expositionId : undefined;
  const before = is("expositions.omitted-title", "kept") ? (target?.friendlyTitle ?? null) : null;
  return {
    expositionId: target?.expositionId ?? given ?? server.ids.uuid(),
    label: input.label,
    friendlyTitle: input.friendlyTitle === undefined ? before : input.friendlyTitle,
    productCategories: input.productCategories,
    expositionType: input.expositionType,
    status: input.status ?? "active",
  };
}
