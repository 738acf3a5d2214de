import { storeInputs } from "../../../generated/store.inputs.ts";
import type { JsonObject } from "../../../generated/store.ts";
import { objectOf, objectsIn } from "../../wire/json.ts";
import type { Handler, StoreCall } from "../server/call.ts";
import { type Issue, ok, type Reply } from "../server/exchange.ts";
import type { Is } from "../server/readings.ts";
import { externalIdOf, requireStore, storeOf } from "./ids.ts";
import { withResponseTimes } from "./times.ts";

/** A list that a PUT replaces; its name is also the property of the body. */
interface ReplacedList {
  readonly name: "contacts" | "expectations";
  /** The properties of an input, and the values of those that it leaves out. */
  readonly input: { readonly sent: readonly string[]; readonly defaults: JsonObject };
  /** The properties that the server sets. */
  readonly id: string;
  readonly time: string;
  /** The property that a response may leave out if it is null. gap responses.nullable-properties */
  readonly nullable: string;
  /** The properties that identify a row. gap lists.duplicates */
  readonly identity: readonly string[];
}

/** The operations on the contacts of a store. */
export const contacts = handlersOf({
  name: "contacts",
  input: storeInputs.ContactInput,
  id: "contactId",
  time: "createdAt",
  nullable: "email",
  identity: ["phone"],
});

/** The operations on the expectations of a store. */
export const expectations = handlersOf({
  name: "expectations",
  input: storeInputs.ExpectationInput,
  id: "expectationId",
  time: "updatedAt",
  nullable: "productCategory",
  identity: ["displayType", "productCategory", "weekday", "protocolTime"],
});

function handlersOf(list: ReplacedList): Readonly<Record<"get" | "put", Handler<StoreCall>>> {
  const { name, identity } = list;
  const inputsOf = ({ body }: StoreCall) => objectsIn(objectOf(body)[name]);
  const identify = (input: JsonObject) => contentOf(input, identity);
  return {
    get: { find: requireStore, run: (call) => respond(list, call) },
    put: {
      find: requireStore,
      check: (call) => [
        ...duplicateIssues(inputsOf(call), name, identify, call.is),
        ...(name === "contacts" ? emailIssues(inputsOf(call), call.is) : []),
      ],
      run: (call) => {
        replaceRows(list, withoutDuplicates(inputsOf(call), identify, call.is), call);
        return respond(list, call);
      },
    },
  };
}

/** Stores new rows. A stored row that equals one keeps its ID, each for one of them. gap lists.ids-after-replace */
function replaceRows(
  { name, input, id, time }: ReplacedList,
  inputs: readonly JsonObject[],
  call: StoreCall,
): void {
  const { ids, clock } = call.server;
  const kept = call.is("lists.ids-after-replace", "kept") ? rowsOf(name, call) : [];
  const stored = Map.groupBy(kept, (row) => contentOf(row, input.sent));
  const rows = inputs.map((given) => {
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

function respond({ name, nullable, time }: ReplacedList, call: StoreCall): Reply {
  const items = omitNullProperty(rowsOf(name, call), nullable, call.is);
  return ok({
    externalId: storeOf(call).externalId,
    items: items.map((row) => withResponseTimes(row, [time], call.is)),
  });
}

/** Removes a null property from rows, under one reading. gap responses.nullable-properties */
export function omitNullProperty<Row extends object>(
  rows: readonly Row[],
  property: keyof Row,
  is: Is,
): readonly Row[] {
  if (is("responses.nullable-properties", "present")) return rows;
  return rows.map((row) => {
    const { [property]: value, ...rest } = row;
    return value === null ? (rest as Row) : row; // a response may lack the property
  });
}

/** Returns the identity of an element; elements without an identity are never duplicates. */
type Identity<Row> = (row: Row) => string | undefined;

/** Returns an issue for each duplicate, if duplicates are rejected. gap lists.duplicates */
export function duplicateIssues<Row>(
  rows: readonly Row[],
  property: string,
  identity: Identity<Row>,
  is: Is,
): Issue[] {
  if (!is("lists.duplicates", "rejected")) return [];
  const firsts = new Map<string, number>();
  return rows.flatMap((row, index) => {
    const name = identity(row);
    const first = name === undefined ? undefined : firsts.get(name);
    if (first !== undefined)
      return [{ path: `${property}.${index}`, message: `is a duplicate of ${property}.${first}` }];
    if (name !== undefined) firsts.set(name, index);
    return [];
  });
}

/** Returns the elements without those that a later duplicate replaces. gap lists.duplicates */
export function withoutDuplicates<Row>(rows: readonly Row[], identity: Identity<Row>, is: Is): Row[] {
  if (!is("lists.duplicates", "last-wins")) return [...rows];
  const lasts = new Map(rows.map((row, index) => [identity(row) ?? index, index]));
  return rows.filter((row, index) => lasts.get(identity(row) ?? index) === index);
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
const DOT_STRING = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`);
const QUOTED_STRING = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"$/;
const DOMAIN = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;
const ADDRESS_LITERAL = /^\[[\x21-\x5a\x5e-\x7e]+\]$/;

/** Whether a string is a mailbox of RFC 5321, sections 4.1.2 and 4.5.3.1. */
function isRfc5321Mailbox(text: string): boolean {
  const sign = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(sign, 0)), text.slice(sign + 1)];
  if (local.length > 64 || domain.length > 255) return false;
  const hasLabels = domain.split(".").every(({ length }) => length <= 63);
  const isDomain = (hasLabels && DOMAIN.test(domain)) || ADDRESS_LITERAL.test(domain);
  return isDomain && (DOT_STRING.test(local) || QUOTED_STRING.test(local));
}

/** gap contacts.email-format */
function emailIssues(inputs: readonly JsonObject[], is: Is): Issue[] {
  if (is("contacts.email-format", "lenient")) return [];
  const message = "must be an e-mail address as RFC 5321 defines it";
  return inputs.flatMap(({ email }, index) =>
    typeof email !== "string" || isRfc5321Mailbox(email)
      ? []
      : [{ path: `contacts.${index}.email`, message, code: "invalid_format" }],
  );
}
