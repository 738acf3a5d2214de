import { contactInput, expectationInput } from "../../../generated/store.inputs.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { objectOf, objectsIn } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { requireStore, rowsOf, timedReply } from "./stores.ts";

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
