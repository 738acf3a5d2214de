import type { JsonObject } from "../../wire/json.ts";
import { WriteError } from "../errors.ts";
import type { Sent } from "../http.ts";

/** The properties of an input that may be sent, and the values of omitted ones. */
interface InputProperties {
  readonly sent: readonly string[];
  readonly defaults: Readonly<JsonObject>;
}

/**
 * Returns the response to the write of a list, if it shows the elements that were sent. A service may add properties and
 * elements' IDs, leave out what is null, and write a text in another form: only its letters and digits are compared.
 * @param isReplaced whether the list has no other elements
 */
export async function requireWritten<List extends { items: readonly object[] }>(
  label: string,
  { sent, defaults }: InputProperties,
  inputs: readonly object[],
  response: Promise<Sent<List>>,
  isReplaced: boolean,
): Promise<Sent<List>> {
  const result = await response;
  const { items } = result.data;
  const isShown = (input: JsonObject, item: JsonObject | undefined): boolean =>
    input["status"] === "disabled" || // a response may leave it out
    sent.every((name) => {
      // what an omitted property that may be null becomes is a gap
      const expected = input[name] === undefined ? (defaults[name] ?? undefined) : input[name];
      return expected === undefined || name.endsWith("Id") || lettersOf(item?.[name]) === lettersOf(expected);
    });
  const issues = inputs.flatMap((input, index) =>
    // usually it has the same place
    [items[index], ...items].some((item) => isShown(input as JsonObject, item as JsonObject))
      ? []
      : [{ path: String(index), message: "is not in the response as it was sent" }],
  );
  if (isReplaced && items.length !== inputs.length)
    issues.push({ path: "items", message: `has ${items.length} elements instead of ${inputs.length}` });
  if (issues.length > 0)
    throw new WriteError(label, "differs", "was sent, and the service returned other values", issues);
  return result;
}

/** Returns the letters and digits of a value, or of the values of a list in any order. */
function lettersOf(value: unknown): string {
  const parts = [value ?? null].flat().map(String).toSorted();
  return parts
    .join(" ")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
