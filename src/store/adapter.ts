import type { AnyInput } from "../core/request/operation.ts";
import type { ApiAdapter } from "../core/request/run.ts";
import type { RetryGapCheck } from "../core/request/retry-class.ts";
import { isObject, type JsonObject } from "../internal/json.ts";
import { StoreApiError } from "./errors.ts";

/** The errors of the store API. Contract: store 5 and 7. */
export const storeAdapter: ApiAdapter = {
  error: (_, details) => new StoreApiError(details),
  // a service without an API token stays so however often it is asked
  isPermanent: ({ status, bytes }) =>
    status === 503 && /"code"\s*:\s*"not_configured"/.test(new TextDecoder().decode(bytes)),
};

/** Whether a body makes the answer to a gap matter for sending it twice. */
export const storeRetryGaps: Readonly<Record<string, RetryGapCheck>> = {
  "stores.body-external-id": ({ body, path }) => {
    const given = (body as JsonObject | null | undefined)?.externalId;
    return given !== undefined && (path as JsonObject | undefined)?.externalId !== given;
  },
  "expositions.matching": (input, told) => {
    const elements = expositionsOf(input);
    if (elements.every(hasId)) return false;
    // the first request may create several expositions of which the second one means the same one several times
    const keys = elements.map((element) => matchKey(element, told));
    return new Set(keys).size < keys.length ? "always" : true;
  },
  "expositions.unknown-id": (input) => expositionsOf(input).some(hasId),
};

/** The elements of the body; one without an ID if the body has no list, so that nothing is taken for safe. */
function expositionsOf({ body }: AnyInput): readonly unknown[] {
  const list = isObject(body) ? body.expositions : undefined;
  return Array.isArray(list) ? list : [undefined];
}

/** What an element without ID has in common with the exposition that it means. */
function matchKey(element: unknown, reading: string | undefined): string {
  const { label, expositionType } = isObject(element) ? element : {};
  const parts = { label: [label], type: [expositionType] }[reading ?? ""] ?? [label, expositionType];
  return JSON.stringify(parts);
}

function hasId(element: unknown): boolean {
  return isObject(element) && typeof element.expositionId === "string";
}
