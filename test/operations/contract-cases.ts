import type { Operation } from "../../src/wire/operation.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import { type RequestCase, type RequestCases, casesOf } from "./request-cases.ts";
import { extraFleetCases } from "./fleet-cases.ts";
import { fleetIdsOf, fleetSamples } from "./fleet-samples.ts";
import type { ApiOperation } from "./operations.ts";
import type { Sample } from "./sample.ts";
import { extraStoreCases } from "./store-cases.ts";
import { storeIdsOf, storeSamples } from "./store-samples.ts";

/** The sample of an operation, for a server in its initial state. */
export function sampleOf(ref: ReferenceServer, { id }: ApiOperation): Sample {
  const samples = { ...storeSamples(storeIdsOf(ref)), ...fleetSamples(fleetIdsOf(ref)) };
  return samples[id];
}

/** The requests of an operation, for a server in its initial state. */
export function contractCases(ref: ReferenceServer, operation: ApiOperation): RequestCases {
  const more: Record<string, Partial<RequestCases>> = { ...extraStoreCases(ref), ...extraFleetCases(ref) };
  return casesOf(operation, sampleOf(ref, operation), more[operation.id]);
}

/** The path and query of a request, below the base URL. */
export function targetOf({ path }: Operation, { path: ids = {}, query = {} }: RequestCase): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? "none"));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  );
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** The text of a request's body. */
export function bodyText({ body, text }: RequestCase): string | undefined {
  return text ?? (body === undefined ? undefined : JSON.stringify(body));
}

/** Sends a request to a reference server in the same process. */
export function sendCase(
  ref: ReferenceServer,
  operation: ApiOperation,
  requestCase: RequestCase,
): Promise<Response> {
  const isStore = operation.api === "store";
  const text = bodyText(requestCase);
  return ref.fetch(`${isStore ? ref.storeUrl : ref.fleetUrl}${targetOf(operation, requestCase)}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${requestCase.secret ?? (isStore ? ref.token : ref.keys[0]?.key)}`,
      ...(text !== undefined && { "content-type": "application/json" }),
      ...(requestCase.version !== undefined && { "x-service-api-version": requestCase.version }),
    },
    ...(text !== undefined && { body: text }),
  });
}
