import type { UnexpectedResponseError } from "../errors/response-errors.ts";
import type { ResponseContent } from "../request/content.ts";
import { unexpectedResponse } from "../request/response-failure.ts";

/** The names of a list's array and cursor in its response. */
export interface CursorNames {
  readonly items: string;
  readonly cursor: string;
  /** Names that array and cursor have under other readings: a response with items or a next page there is rejected. */
  readonly others?: readonly string[];
  /** The property that names the store of the list, as the path does. */
  readonly owner?: string;
  /** The end of the message about a response without them. */
  readonly advice?: string;
}

/** The error about a response without the array or the cursor, or with items or a next page under another name as well. */
export function withoutList(
  content: ResponseContent,
  { items, cursor, advice = "" }: CursorNames,
  other?: string,
): UnexpectedResponseError {
  const keys = Object.keys(content.json).map((key) => `\`${content.clean(key)}\``);
  const form =
    other === undefined
      ? `without an array \`${items}\` and a \`${cursor}\` that is a string or null`
      : `with items or a next page in \`${other}\`, besides \`${items}\` and \`${cursor}\``;
  const found = keys.length === 0 ? "no properties" : keys.slice(0, 20).join(", ");
  return unexpectedResponse(content, `${form}; the response has ${found}${advice}`);
}
