/** Noise between a model and its client, decided by a seed. */
import { isObject, type Json, type ModelResponse, parseJson } from "./exchange.ts";
import { createRandom, type Random } from "./random.ts";

/** Probabilities are from 0 to 1. Omitted kinds of noise do not happen. */
export interface Noise {
  readonly seed?: number;
  /** Milliseconds that each response waits. */
  readonly latency?: { readonly min: number; readonly max: number };
  /** A 503 instead of the request. `retryAfter` is in seconds. */
  readonly unavailable?: { readonly probability: number; readonly retryAfter?: number };
  /** The connection is reset before the model sees the request, or after it handled the request. */
  readonly reset?: { readonly before?: number; readonly after?: number };
  readonly gzip?: boolean;
  /** Every object in a response has a property that the contract does not have. */
  readonly extraProperties?: boolean;
  /** The properties of every object are in a random order. */
  readonly propertyOrder?: boolean;
  /** Somebody else writes before a request is handled. */
  readonly otherWriter?: { readonly probability: number; readonly write: (random: Random) => void };
}

/** The fate of one request. */
export interface RequestNoise {
  readonly delay: number;
  readonly unavailable: boolean;
  readonly reset: "before" | "after" | undefined;
  readonly otherWriter: boolean;
}

export interface NoiseSource {
  readonly random: Random;
  next(): RequestNoise;
  /** Applies `extraProperties` and `propertyOrder`. */
  applyTo(response: ModelResponse): ModelResponse;
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  const result = [...values];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = random.integer(0, last);
    // both indexes are inside the array
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

function alterValue(value: Json, noise: Noise, random: Random): Json {
  if (Array.isArray(value)) return value.map((element: Json) => alterValue(element, noise, random));
  if (!isObject(value)) return value;
  const properties = Object.entries(value).map(
    ([name, property]) => [name, alterValue(property, noise, random)] as const,
  );
  const all = noise.extraProperties
    ? [...properties, ["addedInALaterVersion", { since: "1.1" }] as const]
    : properties;
  return Object.fromEntries(noise.propertyOrder ? shuffle(all, random) : all);
}

export function createNoise(noise: Noise): NoiseSource {
  const random = createRandom(noise.seed ?? 1);
  const { min, max } = noise.latency ?? { min: 0, max: 0 };
  const { before = 0, after = 0 } = noise.reset ?? {};
  return {
    random,
    next() {
      const isReset = { before: random.chance(before), after: random.chance(after) };
      return {
        delay: random.integer(min, max),
        unavailable: random.chance(noise.unavailable?.probability ?? 0),
        reset: isReset.before ? "before" : isReset.after ? "after" : undefined,
        otherWriter: random.chance(noise.otherWriter?.probability ?? 0),
      };
    },
    applyTo(response) {
      const isJson = response.headers["content-type"] === "application/json";
      const value =
        isJson && (noise.extraProperties || noise.propertyOrder) ? parseJson(response.body) : undefined;
      if (value === undefined) return response;
      return { ...response, body: JSON.stringify(alterValue(value, noise, random)) };
    },
  };
}
