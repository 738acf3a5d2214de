import type { AnyInput } from "../core/request/operation.ts";
import type { ApiAdapter } from "../core/request/run.ts";
import type { RetryGapCheck } from "../core/request/retry-class.ts";
import { isObject } from "../../wire/json.ts";

/** The errors of the store API. Contract: store 5 and 7. */
export const storeAdapter: ApiAdapter = {
  async error(_, details) {
    const { StoreApiError } = await import("./errors.ts");
    return new StoreApiError(details);
  },
  // a service without an API token responds in the same way to every retry
  isPermanent: ({ status, bytes }) =>
    status === 503 && /"code"\s*:\s*"not_configured"/.test(new TextDecoder().decode(bytes)),
};

/** Whether the reading of a gap matters for sending a body twice. */
export const storeRetryGaps: Readonly<Record<string, RetryGapCheck>> = {
  "stores.body-external-id": ({ body, path }) => {
    const given = isObject(body) ? body.externalId : undefined;
    return given !== undefined && !(isObject(path) && path.externalId === given);
  },
  "expositions.matching": (input, reading) => {
    const elements = expositionsOf(input);
    if (elements.every(hasId)) return false;
    // an element with ID may rename the exposition that an element without ID matched, which then matches another one
    if (elements.some(hasId)) return "always";
    // the first request may create several expositions, and the second one may update one of them several times
    const keys = elements.map((element) => matchKey(element, reading));
    return new Set(keys).size < keys.length ? "always" : true;
  },
  "expositions.unknown-id": (input) => expositionsOf(input).some(hasId),
};

/**
 * Returns the elements of the body. A body without a list counts as an element without ID, so that a retry is not
 * considered safe.
 */
function expositionsOf({ body }: AnyInput): readonly unknown[] {
  const list = isObject(body) ? body.expositions : undefined;
  return Array.isArray(list) ? list : [undefined];
}

/** The properties by which the service may match an element without ID with an exposition. */
function matchKey(element: unknown, reading: string | undefined): string {
  const { label, expositionType } = isObject(element) ? element : {};
  const parts = { label: [label], type: [expositionType] }[reading ?? ""] ?? [label, expositionType];
  return JSON.stringify(parts);
}

function hasId(element: unknown): boolean {
  return isObject(element) && typeof element.expositionId === "string";
}
