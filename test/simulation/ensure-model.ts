/** A model of `ensure`: the writes and results that follow from the responses that it has read. */
import { isDeepStrictEqual } from "node:util";
import type { EnsureResult } from "../../src/index.ts";
import type { Exchange } from "./observer.ts";
import type { Json, JsonObject, WriteStep } from "./scenario.ts";

/** Returns the text of the key of an entity. */
export function ensuredKey({ key = ["plateNumber"] }: WriteStep, entity: JsonObject): string {
  return JSON.stringify(key.map((name) => entity[name]));
}

/** Compares the writes with the entities that were read, and the results with both. */
export function checkEnsure(
  step: WriteStep,
  exchanges: readonly Exchange[],
  results: readonly EnsureResult<JsonObject>[],
): string[] {
  const first = exchanges.findIndex((one) => idOf(one) !== undefined || !one.request.startsWith("GET "));
  const listed = new Map<string, JsonObject>();
  for (const exchange of exchanges.slice(0, first < 0 ? undefined : first))
    for (const entity of entitiesOf(exchange))
      if (!listed.has(entityId(entity))) listed.set(entityId(entity), entity);
  const problems: string[] = [];
  const meant = new Map<string, JsonObject>();
  for (const [index, desired] of step.desired.entries()) {
    const fitting = [...listed.values()].filter((one) => ensuredKey(step, one) === ensuredKey(step, desired));
    const [entity] = fitting;
    if (entity !== undefined && fitting.length === 1) meant.set(entityId(entity), desired);
    const result = results[index];
    if (result === undefined || result.outcome === "skipped") continue;
    if (fitting.length > 1 && result.outcome !== "conflict")
      problems.push(`reports ${result.outcome} for ${fitting.length} entities with one key`);
    const isCreated = exchanges.some(
      ({ request, body }) => request.startsWith("POST ") && isDeepStrictEqual(parse(body), desired),
    );
    if (isCreated && (entity !== undefined || step.dryRun === true)) problems.push(`creates what exists`);
    if (fitting.length === 1 && result.id !== entity?.["id"]) problems.push(`names the entity ${result.id}`);
    if ((result.outcome === "planned") !== (step.dryRun === true) && entity === undefined)
      problems.push(`reports ${result.outcome} for a new entity`);
  }
  const lost = exchanges.findLastIndex(
    ({ request, hasResponse, status = 500 }) =>
      request.startsWith("POST ") && (!hasResponse || status >= 500),
  );
  const isLookedUp = exchanges.slice(lost + 1).some((one) => idOf(one) === undefined);
  if (lost >= 0 && !isLookedUp) problems.push("does not look for what a lost POST may have created");
  for (const [at, exchange] of exchanges.entries()) {
    if (!exchange.request.startsWith("PUT ")) continue;
    const id = idOf(exchange) ?? "";
    const desired = meant.get(id);
    if (desired === undefined || step.dryRun === true) {
      problems.push(`changes ${id}, which it must not`);
      continue;
    }
    const read = exchanges.slice(0, at).findLast((one) => one.request.startsWith("GET ") && idOf(one) === id);
    const [detail = {}] = read === undefined ? [] : entitiesOf(read);
    const body = { ...listed.get(id), ...detail, ...desired };
    if (read === undefined || detail["id"] !== id) problems.push(`changes ${id} without a read of it`);
    else if (!isDeepStrictEqual(parse(exchange.body), body))
      problems.push(`sends ${exchange.body}, expected ${JSON.stringify(body)}`);
  }
  return problems;
}

function entityId({ id }: JsonObject): string {
  return typeof id === "string" ? id : "";
}

/** The ID in the path of a request; undefined for the list. */
function idOf({ request }: Exchange): string | undefined {
  const [, id] = /\/vehicles\/([^/?\s]+)/.exec(request) ?? [];
  return id;
}

function parse(text: string | undefined): JsonObject {
  return JSON.parse(text ?? "{}") as JsonObject; // the client sends objects
}

/** The entities of a response that the client was given. */
function entitiesOf({ hasResponse, status, response }: Exchange): JsonObject[] {
  if (!hasResponse || status !== 200) return [];
  try {
    const { data } = JSON.parse(response.slice("200 whole ".length)) as { data?: Json };
    return [data].flat().filter((one): one is JsonObject => typeof one === "object" && one !== null);
  } catch {
    return []; // a response that was cut, or is not JSON
  }
}
