import { contactInput, expectationInput } from "../../../generated/store.inputs.ts";
import type { Exposition, ExpositionInput, ExpositionUpsert, JsonObject } from "../../../generated/store.ts";
import { objectOf, objectsIn } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { ok, type Reply } from "../server/exchange.ts";
import { refuseUnknown, requireStore, rowsOf, timedReply } from "./stores.ts";

/** A list that a PUT replaces; its name is also the property of the body. */
interface ReplacedList {
  readonly name: "contacts" | "expectations";
  /** The properties of an input, and the values of those that it leaves out. */
  readonly input: { readonly sent: readonly string[]; readonly defaults: JsonObject };
  /** The properties that the server sets. */
  readonly id: string;
  readonly time: string;
}

/** The operations on the contacts of a store. */
export const contacts = handlersOf({
  name: "contacts",
  input: contactInput,
  id: "contactId",
  time: "createdAt",
});

/** The operations on the expectations of a store. */
export const expectations = handlersOf({
  name: "expectations",
  input: expectationInput,
  id: "expectationId",
  time: "updatedAt",
});

function handlersOf(list: ReplacedList): Readonly<Record<"get" | "put", Handler<StoreCall>>> {
  const get = (call: StoreCall) =>
    timedReply(call, { externalId: call.params.externalId, items: rowsOf(call, list.name) });
  return {
    get: { find: requireStore, run: get },
    put: {
      find: requireStore,
      run: (call) => {
        replaceRows(list, call);
        return get(call);
      },
    },
  };
}

/** Stores new rows. A stored row that equals one keeps its ID, each for one of them. gap lists.ids-after-replace */
function replaceRows({ name, input, id, time }: ReplacedList, call: StoreCall): void {
  const { ids, clock } = call.server;
  const contentOf = (row: JsonObject) => JSON.stringify(input.sent.map((property) => row[property] ?? null));
  const kept = call.is("lists.ids-after-replace", "kept") ? objectsIn(rowsOf(call, name)) : [];
  const stored = Map.groupBy(kept, contentOf);
  const rows = objectsIn(objectOf(call.body)[name]).map((given) => {
    const content = tableOf(input.sent, (property) => given[property] ?? input.defaults[property]);
    const row = { [id]: ids.uuid(), ...content, [time]: clock.now().toISOString() };
    return stored.get(contentOf(content))?.shift() ?? row;
  });
  const lists: Map<string, object[]> = call.store[name];
  lists.set(call.params.externalId, rows);
}

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
