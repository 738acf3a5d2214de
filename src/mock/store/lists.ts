import { contactInput, expectationInput } from "../../../generated/store.inputs.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { objectOf, objectsIn } from "../../wire/json.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { ok, type Reply } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import { externalIdOf, requireStore, storeOf } from "./stores.ts";
import { withResponseTimes } from "./times.ts";

/** A list that a PUT replaces; its name is also the property of the body. */
interface ReplacedList {
  readonly name: "contacts" | "expectations";
  /** The properties of an input, and the values of those that it leaves out. */
  readonly input: { readonly sent: readonly string[]; readonly defaults: JsonObject };
  /** The properties that the server sets. */
  readonly id: string;
  readonly time: string;
  /** The properties that identify a row. gap lists.duplicates */
  readonly identity: readonly string[];
}

/** The operations on the contacts of a store. */
export const contacts = handlersOf({
  name: "contacts",
  input: contactInput,
  id: "contactId",
  time: "createdAt",
  identity: ["phone"],
});

/** The operations on the expectations of a store. */
export const expectations = handlersOf({
  name: "expectations",
  input: expectationInput,
  id: "expectationId",
  time: "updatedAt",
  identity: ["displayType", "productCategory", "weekday", "protocolTime"],
});

function handlersOf(list: ReplacedList): Readonly<Record<"get" | "put", Handler<StoreCall>>> {
  return {
    get: { find: requireStore, run: (call) => respond(list, call) },
    put: {
      find: requireStore,
      run: (call) => {
        replaceRows(list, call);
        return respond(list, call);
      },
    },
  };
}

/** Stores new rows. A stored row that equals one keeps its ID, each for one of them. gap lists.ids-after-replace */
function replaceRows({ name, input, id, time, identity }: ReplacedList, call: StoreCall): void {
  const { ids, clock } = call.server;
  const kept = call.is("lists.ids-after-replace", "kept") ? rowsOf(name, call) : [];
  const stored = Map.groupBy(kept, (row) => contentOf(row, input.sent));
  const sent = objectsIn(objectOf(call.body)[name]);
  const rows = withoutDuplicates(sent, (row) => contentOf(row, identity), call.is).map((given) => {
    const values = input.sent.map(
      (property) => [property, given[property] ?? input.defaults[property]] as const,
    );
    const content: JsonObject = Object.fromEntries<unknown>(values);
    const row = { [id]: ids.uuid(), ...content, [time]: clock.now().toISOString() };
    return stored.get(contentOf(content, input.sent))?.shift() ?? row;
  });
  const map: Map<string, object[]> = call.store[name];
  map.set(externalIdOf(call), rows);
}

function rowsOf(name: ReplacedList["name"], call: StoreCall): JsonObject[] {
  return objectsIn(call.store[name].get(externalIdOf(call)));
}

function contentOf(row: JsonObject, properties: readonly string[]): string {
  return JSON.stringify(properties.map((property) => row[property] ?? null));
}

function respond({ name, time }: ReplacedList, call: StoreCall): Reply {
  const items = rowsOf(name, call).map((row) => withResponseTimes(row, [time], call.is));
  return ok({ externalId: storeOf(call).externalId, items });
}

/**
 * Returns the elements without those that a later duplicate replaces; an element without an identity is no duplicate. gap
 * lists.duplicates
 */
export function withoutDuplicates<Row>(
  rows: readonly Row[],
  identity: (row: Row) => string | undefined,
  is: Is,
): Row[] {
  if (is("lists.duplicates", "accepted")) return [...rows];
  const lasts = new Map(rows.map((row, index) => [identity(row) ?? index, index]));
  return rows.filter((row, index) => lasts.get(identity(row) ?? index) === index);
}
