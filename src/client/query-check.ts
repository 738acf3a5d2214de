import { isUuid } from "./id.ts";
import type { QueryRule, QueryRules } from "../wire/operation.ts";
import { describeKnownNames } from "../wire/names.ts";
import type { Issue } from "./errors.ts";
import type { Parameter } from "./serialization.ts";

/**
 * Returns what is wrong with the parameters of a query. zod would take longer to load than a request.
 * @param rules the parameters of the operation
 */
export function checkQuery(rules: QueryRules, parameters: readonly Parameter[]): Issue[] {
  const known = Object.keys(rules);
  const unknown = parameters.filter(({ documented }) => !known.includes(documented));
  const issues = unknown.map(({ name }) => ({
    path: name,
    message: `is not a parameter${describeKnownNames(name, known)}`,
  }));
  if (issues.length > 0) return issues;
  return Object.entries(rules).flatMap(([documented, rule]) => {
    const given = parameters.find((parameter) => parameter.documented === documented);
    const message = findMistake(rule, given?.text);
    return message === undefined ? [] : [{ path: given?.name ?? documented, message }];
  });
}

/** Returns what is wrong with the text of a parameter. */
function findMistake(rule: QueryRule, text: string | undefined): string | undefined {
  if (text === undefined) return rule.required === true ? "is required" : undefined;
  if (rule.values?.includes(text) === false) return `must be one of ${rule.values.join(", ")}`;
  switch (rule.type) {
    case "boolean":
      return text === "true" || text === "false" ? undefined : "must be true or false";
    case "uuid":
      return isUuid(text) ? undefined : "must be a UUID";
    case "date-time":
      return Number.isNaN(Date.parse(text)) ? "must be an ISO 8601 date-time" : undefined;
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? findBound(rule, Number(text)) : "must be an integer";
    case "number":
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? findBound(rule, Number(text)) : "must be a number";
    default:
      return undefined;
  }
}

function findBound({ minimum, maximum }: QueryRule, value: number): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
}
