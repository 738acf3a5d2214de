import type { Operation } from "../../generated/operation.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import { type Ask, type Asks, asksOf } from "./asks.ts";
import { moreFleetAsks } from "./fleet-asks.ts";
import { fleetIdsOf, fleetSamples } from "./fleet-samples.ts";
import type { ApiOperation } from "./operations.ts";
import type { Sample } from "./sample.ts";
import { moreStoreAsks } from "./store-asks.ts";
import { storeIdsOf, storeSamples } from "./store-samples.ts";

/** The sample of an operation, for a server in its initial state. */
export function sampleOf(ref: ReferenceServer, { id }: ApiOperation): Sample {
  const samples = { ...storeSamples(storeIdsOf(ref)), ...fleetSamples(fleetIdsOf(ref)) };
  return samples[id];
}

/** The requests of an operation, for a server in its initial state. */
export function contractAsks(ref: ReferenceServer, operation: ApiOperation): Asks {
  const more: Record<string, Partial<Asks>> = { ...moreStoreAsks(ref), ...moreFleetAsks(ref) };
  return asksOf(operation, sampleOf(ref, operation), more[operation.id]);
}

/** The path and query of a request, below the base URL. */
export function targetOf({ path }: Operation, { path: ids = {}, query = {} }: Ask): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? "none"));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  );
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** The text of a request's body. */
export function bodyText({ body, text }: Ask): string | undefined {
  return text ?? (body === undefined ? undefined : JSON.stringify(body));
}

/** Sends a request to a reference server in the same process. */
export function ask(ref: ReferenceServer, operation: ApiOperation, asked: Ask): Promise<Response> {
  const isStore = operation.api === "store";
  const text = bodyText(asked);
  return ref.fetch(`${isStore ? ref.storeUrl : ref.fleetUrl}${targetOf(operation, asked)}`, {
    method: operation.method,
    headers: {
      authorization: `Bearer ${asked.secret ?? (isStore ? ref.token : ref.keys[0]?.key)}`,
      ...(text !== undefined && { "content-type": "application/json" }),
      ...(asked.version !== undefined && { "x-service-api-version": asked.version }),
    },
    ...(text !== undefined && { body: text }),
  });
}
