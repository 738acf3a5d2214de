import { responseSchemaOf } from "../../../wire/operation.ts";
import { objectOf } from "../../../wire/json.ts";
import type { Issue } from "../errors/issue.ts";
import { nothing, type ResponseContent } from "./content.ts";
import { isSimilarId } from "../../../wire/similar-id.ts";
import { schemaMismatch, unexpectedResponse } from "./response-failure.ts";
import type { ReadConfig } from "./run.ts";

/** Returns a response unless it has a property twice or, with `validate: "full"`, does not fit the contract. */
export async function validateResponse(
  content: ResponseContent,
  { validate, loadSchemas }: Pick<ReadConfig, "validate" | "loadSchemas">,
): Promise<ResponseContent> {
  requireDistinctNames(content);
  if (validate !== "full") return content;
  checkExactness(content);
  if (content.json === nothing) return content;
  const check = await loadSchemas();
  const issues = check(responseSchemaOf(content.run.spec.operation.id), content.json);
  const found = issues.length > 0 ? issues : findOtherId(content);
  if (found.length > 0) throw schemaMismatch(content, found);
  return content;
}

/**
 * Returns the issue of a response about another entity than that of the path, such as a cache or a redirect may return.
 * Pages have their own check, and the contract does not show the response of a DELETE.
 */
function findOtherId({ run, json }: ResponseContent): Issue[] {
  const { operation, route, path, body } = run.spec;
  if (/page|deleted/.test(operation.response)) return [];
  const [place, entity] = operation.response === "data" ? ["data.", objectOf(json["data"])] : ["", json];
  const sent = body === undefined ? {} : objectOf(JSON.parse(body));
  const segments = path.split("?", 1).join("").split("/");
  return route.split("/").flatMap((part, index) => {
    const name = /^\{(.*)\}$/.exec(part)?.[1] ?? "";
    const [id, requested] = [entity[name], decodeURIComponent(segments[index] ?? "")];
    if (typeof id !== "string" && typeof id !== "number") return [];
    // the body may rename a store (gap stores.body-external-id)
    if ([requested, sent[name]].some((expected) => isSimilarId(id, expected))) return [];
    return [{ path: place + name, message: "is that of another entity than the requested one" }];
  });
}

/** Rejects a response with a property twice: only its last value would be returned. */
function requireDistinctNames(content: ResponseContent): void {
  const name = findRepeatedName(content.text);
  if (name !== undefined)
    throw unexpectedResponse(content, `with the property \`${content.clean(name).slice(0, 40)}\` twice`);
}

/** Returns a name that the outermost object of a JSON text has twice. */
function findRepeatedName(text: string): string | undefined {
  const names = new Set<string>();
  const sign = /["[\]{}]/g;
  let depth = 0;
  for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
    if (match[0] !== '"') {
      depth += /[[{]/.test(match[0]) ? 1 : -1;
      continue;
    }
    sign.lastIndex = endOfString(text, match.index + 1);
    if (depth > 1 || !/^\s*:/.test(text.slice(sign.lastIndex, sign.lastIndex + 100))) continue;
    const name = JSON.parse(text.slice(match.index, sign.lastIndex)) as string; // a string of valid JSON
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}

/** Rejects integers beyond 2^53, which lose their last digits. */
function checkExactness(content: ResponseContent): void {
  const number = findInexactInteger(content.text);
  if (number !== undefined)
    throw unexpectedResponse(
      content,
      `with an integer that JavaScript cannot hold exactly: ${number.slice(0, 40)}`,
    );
}

/** Returns the first unsafe integer outside of strings. Reads the text once. */
function findInexactInteger(text: string): string | undefined {
  let end = 0; // the end of the last string before the integer
  for (const { 0: word, index } of text.matchAll(/[\s:,[]-?\d{16,}(?=[\s,\]}])/g)) {
    const number = word.slice(1);
    if (Number.isSafeInteger(Number(number))) continue;
    while (end <= index) {
      const start = text.slice(end, index).indexOf('"');
      if (start === -1) return number;
      end = endOfString(text, end + start + 1);
    }
  }
  return undefined;
}

/** Returns the index after the closing quote of a string. */
function endOfString(text: string, from: number): number {
  const end = /["\\]/g;
  end.lastIndex = from;
  for (let match = end.exec(text); match !== null; match = end.exec(text)) {
    if (match[0] === '"') return end.lastIndex;
    end.lastIndex += 1; // skips the escaped character
  }
  return text.length;
}
