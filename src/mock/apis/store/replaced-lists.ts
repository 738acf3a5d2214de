import { storeInputs } from "../../../../generated/store.inputs.ts";
import type { Contact, Expectation, JsonObject } from "../../../../generated/store.ts";
import { type ApiResponse, type Issue, ok } from "../../http/api-response.ts";
import type { StoreContext, StoreHandler } from "./context.ts";
import { duplicateIssues, withoutDuplicates } from "./duplicates.ts";
import { omitNullProperty, withResponseTimes } from "./response-rows.ts";
import { externalIdOf, requireStore, storeOf } from "./path-ids.ts";
import { objectOf, objectsIn } from "../../../wire/json.ts";

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

interface ReplacedRows {
  contacts: Contact;
  expectations: Expectation;
}

/** A list that a PUT replaces; its name is also the property of the body. */
interface ReplacedList {
  readonly name: keyof ReplacedRows;
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
export const contacts = replacedList(
  {
    name: "contacts",
    input: storeInputs.ContactInput,
    id: "contactId",
    time: "createdAt",
    nullable: "email",
    identity: ["phone"],
  },
  emailIssues,
);

/** The operations on the expectations of a store. */
export const expectations = replacedList({
  name: "expectations",
  input: storeInputs.ExpectationInput,
  id: "expectationId",
  time: "updatedAt",
  nullable: "productCategory",
  identity: ["displayType", "productCategory", "weekday", "protocolTime"],
});

/** Returns the operations on a list that a PUT replaces. */
function replacedList(
  list: ReplacedList,
  check: (inputs: readonly JsonObject[], context: StoreContext) => Issue[] = () => [],
): { readonly get: StoreHandler; readonly put: StoreHandler } {
  const { name, identity } = list;
  const inputsOf = ({ body }: StoreContext) => objectsIn(objectOf(body)[name]);
  const identify = (input: JsonObject) => contentOf(input, identity);
  return {
    get: { find: requireStore, run: (context) => respond(list, context) },
    put: {
      find: requireStore,
      check: (context) => {
        const inputs = inputsOf(context);
        return [...duplicateIssues(inputs, name, identify, context.readings), ...check(inputs, context)];
      },
      run: (context) => {
        replaceRows(list, withoutDuplicates(inputsOf(context), identify, context.readings), context);
        return respond(list, context);
      },
    },
  };
}

/** Stores new rows. A stored row that equals one keeps its ID, each for one of them. gap lists.ids-after-replace */
function replaceRows(list: ReplacedList, inputs: readonly JsonObject[], context: StoreContext): void {
  const { input, id, time } = list;
  const { ids, clock, readings } = context;
  const key = externalIdOf(context);
  const rows = rowsOf(list, context);
  const kept = readings["lists.ids-after-replace"] === "kept" ? (rows.get(key) ?? []) : [];
  const stored = Map.groupBy(kept, (row) => contentOf(row, input.sent));
  const created = inputs.map((given) => {
    const values = input.sent.map((property): [string, unknown] => [
      property,
      given[property] ?? input.defaults[property],
    ]);
    const row: JsonObject = {
      [id]: ids.uuid(),
      ...Object.fromEntries<unknown>(values),
      [time]: clock.now().toISOString(),
    };
    return stored.get(contentOf(row, input.sent))?.shift() ?? row;
  });
  rows.set(key, created);
}

function rowsOf({ name }: ReplacedList, { data }: StoreContext): Map<string, JsonObject[]> {
  const lists: Map<string, object[]> = data[name];
  return lists as Map<string, JsonObject[]>; // rows of either list are objects
}

function contentOf(row: JsonObject, properties: readonly string[]): string {
  return JSON.stringify(properties.map((property) => row[property] ?? null));
}

function respond(list: ReplacedList, context: StoreContext): ApiResponse {
  const { nullable, time } = list;
  const rows = rowsOf(list, context).get(externalIdOf(context)) ?? [];
  const items = omitNullProperty(rows, nullable, context.readings).map((row) =>
    withResponseTimes(row, [time], context.readings),
  );
  return ok({ externalId: storeOf(context).externalId, items });
}

/** gap contacts.email-format */
function emailIssues(inputs: readonly JsonObject[], { readings }: StoreContext): Issue[] {
  if (readings["contacts.email-format"] === "lenient") return [];
  const message = "must be an e-mail address as RFC 5321 defines it";
  return inputs.flatMap(({ email }, index) =>
    typeof email !== "string" || isRfc5321Mailbox(email)
      ? []
      : [{ path: `contacts.${index}.email`, message, code: "invalid_format" }],
  );
}
