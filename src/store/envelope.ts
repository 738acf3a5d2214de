import type { JsonObject } from "../core/json.ts";
import { type AnswerContext, refuseAnswer } from "../core/shape.ts";

/** Hands an answer on that has any member: `{}` is nobody's store. */
export function notEmpty<T extends object>(answer: T, context: AnswerContext): T {
  if (Object.keys(answer).length > 0) return answer;
  throw refuseAnswer(context, [{ path: "", message: "is an empty object" }], answer);
}

/** Hands a list's answer on that has its array. */
export function withItems<T extends { items: unknown[] }>(answer: T, context: AnswerContext): T {
  return withArray(answer, "items", context);
}

/** Hands an answer on that has an array under this name. */
export function withArray<T extends object>(answer: T, name: keyof T & string, context: AnswerContext): T {
  if (Array.isArray((answer as JsonObject)[name])) return answer;
  throw refuseAnswer(context, [{ path: name, message: "must be an array" }], answer);
}
