import {
  contactTypes,
  expositionStatuses,
  expositionTypes,
  productCategories,
  storeTypes,
} from "../../../generated/store.enums.ts";
import { quoteShell } from "../../wire/foreign-text.ts";
import { isObject, parseJson } from "../../wire/json.ts";

/** A body for a report. */
export interface ShownBody {
  /** JSON, with expressions in the place of some texts. */
  readonly body: string;
  /**
   * The expressions of a shell in `body`: a variable, such as `$STORE_NAME`, for each text of the service, which is not shown,
   * and a command for a long text of equal characters.
   */
  readonly expressions?: readonly string[];
}

/** Values of the contracts, and texts that only a probe writes. */
const SHOWN: ReadonlySet<string> = new Set([
  ...contactTypes,
  ...expositionStatuses,
  ...expositionTypes,
  ...productCategories,
  ...storeTypes,
  "TRACTOR_UNIT",
  "000000",
  "+48 000 000 000",
  "probe@example.com",
  "a..b@example.com",
]);

/** IDs and times, and the names that a probe gives. */
const SHOWN_FORM =
  /^(?:[\dA-Fa-f-]{17,36}|\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]+Z|(?:probe\b|made by a probe|changed by a probe)[\w -]*)$/i;

/** The number of equal characters from which a text is replaced by a command. */
const LONG = 1_000;

/** Returns the body of a request without texts of the service. `marker` is part of the texts of the run. */
export function showBody(as: string, body: unknown, marker: string): ShownBody {
  const variables = new Map<string, string>();
  const commands = new Set<string>();
  const show = (property: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((element) => show(property, element));
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, show(name, inner)]));
    if (typeof value !== "string") return value;
    if (isLong(value)) {
      const command = `$(printf %0${value.length}d 0 | tr 0 ${value[0] ?? ""})`;
      commands.add(command);
      return command;
    }
    if (isShown(property, value, marker)) return value;
    const variable = variables.get(value) ?? nameOf(`${as}_${property}`, [...variables.values()]);
    variables.set(value, variable);
    return variable;
  };
  const shown = JSON.stringify(show("", typeof body === "string" ? parseJson(body) : body));
  const expressions = [...variables.values(), ...commands];
  return { body: shown, ...(expressions.length > 0 && { expressions }) };
}

/** Returns a variable for a property that no other one has. */
function nameOf(property: string, others: readonly string[]): string {
  const words = property.replace(/(?<=[a-z])(?=[A-Z])/g, "_").replace(/\W/g, "_");
  const name = `$${words.toUpperCase()}`;
  const count = others.filter((other) => other.replace(/_\d+$/, "") === name).length;
  return count === 0 ? name : `${name}_${count + 1}`;
}

function isLong(text: string): boolean {
  return text.length >= LONG && /^[a-z]/.test(text) && text.slice(1) === text.slice(0, -1);
}

function isShown(property: string, text: string, marker: string): boolean {
  if (text.includes("$")) return false;
  const isId = /id$/i.test(property) && /^[\w.~-]+$/.test(text);
  return text === "" || isId || text.includes(marker) || SHOWN.has(text) || SHOWN_FORM.test(text);
}

/** Returns a body as one word of a shell, in which the expressions are evaluated. */
export function quoteBody({ body, expressions = [] }: ShownBody): string {
  return body
    .split(/(\$\w+|\$\([^)]*\))/)
    .filter((part) => part !== "")
    .map((part) => (expressions.includes(part) ? `"${part}"` : quoteShell(part)))
    .join("");
}
