import type { Exposition, ExpositionInput, ExpositionUpsert } from "../../../generated/store.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { ok, type Reply } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import { refuseUnknown } from "./errors.ts";
import { externalIdOf, requireStore, storeOf } from "./stores.ts";
import { withoutDuplicates } from "./lists.ts";

type UpsertCall = StoreCall<ExpositionUpsert>;

/** `GET /v1/stores/{externalId}/expositions` */
export const getExpositions: Handler<StoreCall> = {
  find: requireStore,
  run: (call) => respond(call, storedExpositions(call)),
};

/** `PUT /v1/stores/{externalId}/expositions` */
export const putExpositions: Handler<UpsertCall> = {
  find: requireStore,
  run: (call) => {
    const { rows, sent } = upsertExpositions(call);
    call.store.expositions.set(externalIdOf(call), rows);
    // gap expositions.response
    const isAll = call.is("expositions.response", "all");
    return respond(call, isAll ? rows : rows.filter(({ expositionId }) => sent.has(expositionId)));
  },
};

function respond(call: StoreCall, items: readonly Exposition[]): Reply {
  const { externalId, storeId } = storeOf(call);
  return ok({ externalId, storeId, items });
}

function storedExpositions(call: StoreCall): Exposition[] {
  return call.store.expositions.get(externalIdOf(call)) ?? [];
}

function givenId({ expositionId }: ExpositionInput): string | undefined {
  return expositionId?.toLowerCase();
}

/** Returns the content by which an element without an ID is matched. gap expositions.matching */
function matchKey({ label, expositionType }: ExpositionInput, is: Is): string | undefined {
  if (is("expositions.matching", "always-new")) return undefined;
  return JSON.stringify([is("expositions.matching", "label") ? label : expositionType]);
}

/** Returns all expositions after an upsert, and the IDs of those that it created or changed. */
function upsertExpositions(call: UpsertCall): { rows: Exposition[]; sent: ReadonlySet<string> } {
  const { is } = call;
  const rows = [...storedExpositions(call)];
  // two elements that mean the same exposition are duplicates
  const elements = withoutDuplicates(
    call.body.expositions,
    (input) => givenId(input) ?? matchKey(input, is),
    is,
  );
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
    if (id !== undefined && index === -1 && is("expositions.unknown-id", "not-found"))
      refuseUnknown("exposition");
    const row = writeExposition(call, input, rows[index]);
    rows.splice(index === -1 ? rows.length : index, 1, row);
    sent.add(row.expositionId);
  }
  // gap expositions.absent
  if (is("expositions.absent", "keep")) return { rows, sent };
  if (is("expositions.absent", "delete"))
    return { rows: rows.filter((row) => sent.has(row.expositionId)), sent };
  return {
    rows: rows.map((row) => (sent.has(row.expositionId) ? row : { ...row, status: "disabled" })),
    sent,
  };
}

/** gap expositions.unknown-id */
function writeExposition(
  { server, is }: StoreCall,
  input: ExpositionInput,
  target: Exposition | undefined,
): Exposition {
  const given = is("expositions.unknown-id", "created") ? input.expositionId : undefined;
  return {
    expositionId: target?.expositionId ?? given ?? server.ids.uuid(),
    label: input.label,
    friendlyTitle: input.friendlyTitle ?? null,
    productCategories: input.productCategories,
    expositionType: input.expositionType,
    status: input.status ?? "active",
  };
}
