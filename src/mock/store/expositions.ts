import type { Exposition, ExpositionInput, ExpositionUpsert } from "../../../generated/store.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { ok, type Reply } from "../server/exchange.ts";
import { refuseUnknown, requireStore, rowsOf } from "./stores.ts";

type UpsertCall = StoreCall<ExpositionUpsert>;

/** `GET /v1/stores/{externalId}/expositions` */
export const getExpositions: Handler<StoreCall> = { find: requireStore, run: respond };

/** `PUT /v1/stores/{externalId}/expositions` */
export const putExpositions: Handler<UpsertCall> = {
  find: requireStore,
  run: (call) => {
    call.store.expositions.set(call.params.externalId, upsertExpositions(call));
    return respond(call);
  },
};

function respond(call: StoreCall): Reply {
  const { externalId } = call.params;
  const { storeId } = call.store.stores.read(externalId) ?? {};
  return ok({ externalId, storeId, items: rowsOf(call, "expositions") });
}

function idOf({ expositionId }: ExpositionInput): string | undefined {
  return expositionId?.toLowerCase();
}

/** Returns all expositions after an upsert. gaps expositions.absent, expositions.unknown-id */
function upsertExpositions(call: UpsertCall): Exposition[] {
  const { is, body } = call;
  const stored = rowsOf(call, "expositions");
  if (is("expositions.unknown-id", "not-found")) requireKnown(body.expositions, stored);
  const rows = [...stored];
  // an element without an ID means a stored exposition that no element names
  const named = new Set(body.expositions.map(idOf));
  const unnamed = new Set(stored.map(idOf).filter((id) => !named.has(id)));
  const sent = new Set<string>();
  for (const input of body.expositions) {
    const id = idOf(input);
    const index = rows.findIndex((row) =>
      id === undefined ? unnamed.has(idOf(row)) && isMatch(call, input, row) : idOf(row) === id,
    );
    const row = writeExposition(call, input, rows[index]);
    rows.splice(index === -1 ? rows.length : index, 1, row);
    sent.add(row.expositionId);
  }
  if (is("expositions.absent", "keep")) return rows;
  if (is("expositions.absent", "delete")) return rows.filter(({ expositionId }) => sent.has(expositionId));
  return rows.map((row) => (sent.has(row.expositionId) ? row : { ...row, status: "disabled" }));
}

/** Throws a 404 for an ID that the store does not have, before an element gets a new one. */
function requireKnown(inputs: readonly ExpositionInput[], stored: readonly Exposition[]): void {
  const known = new Set(stored.map(idOf));
  const unknown = inputs.map(idOf).find((id) => id !== undefined && !known.has(id));
  if (unknown !== undefined) refuseUnknown("exposition", unknown, known);
}

/** Whether an element without an ID means a stored exposition. gap expositions.matching */
function isMatch({ is }: StoreCall, input: ExpositionInput, row: Exposition): boolean {
  if (is("expositions.matching", "label")) return input.label === row.label;
  return is("expositions.matching", "type") && input.expositionType === row.expositionType;
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
