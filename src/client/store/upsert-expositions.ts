import { storeOperations } from "../../../generated/store.operations.ts";
import { storeBodyLimits } from "../../../generated/store.limits.ts";
import type { ExpositionInput, ExpositionList } from "../../../generated/store.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { check } from "../core/options/check-options.ts";
import type { CallOptions } from "../core/options/options.ts";
import { isObject } from "../../wire/json.ts";

const most = storeBodyLimits.ExpositionUpsert.expositions.maxItems;
const { method, path } = storeOperations.putExpositions;
const label = `${method} ${path}`;

/** Options of `upsertExpositions`. */
export interface UpsertExpositionsOptions extends CallOptions {
  /**
   * The effect of an upsert on stored expositions that it does not name (gap `expositions.absent`). Required for
   * more than 500 elements: each of the requests leaves out the elements of the others.
   */
  absent?: "keep" | undefined;
  /** Called after each request. An error that it throws ends the run. */
  onChunk?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** The part of a `StoreClient` that `upsertExpositions` uses. */
export interface ExpositionWriter {
  readonly expositions: {
    /** Returns the expositions of a store. */
    get(externalId: string, options?: CallOptions): PromiseLike<ExpositionList>;
    /** Writes some of the expositions of a store. */
    upsert(
      externalId: string,
      expositions: readonly ExpositionInput[],
      options?: CallOptions,
    ): PromiseLike<ExpositionList>;
  };
}

/**
 * Upserts any number of expositions, 500 in a request, one request after the other. If one fails, the earlier ones are
 * written and the later ones are not sent.
 * @returns all expositions of the store, read after the last request
 * @throws {InvalidRequestError} for more than 500 elements without `absent: "keep"`; nothing is sent then
 * @example await upsertExpositions(store, "S-1", expositions, { absent: "keep" });
 */
export async function upsertExpositions(
  store: ExpositionWriter,
  externalId: string,
  expositions: readonly ExpositionInput[],
  options: UpsertExpositionsOptions = {},
): Promise<ExpositionList> {
  if (!isObject(options)) throw new ConfigurationError("upsertExpositions: the options must be an object");
  const { absent, onChunk, ...call } = options as UpsertExpositionsOptions;
  check('absent must be "keep", or be omitted', absent, (value) => value === "keep");
  check("onChunk must be a function", onChunk, (value) => typeof value === "function");
  if (!Array.isArray(expositions))
    throw new InvalidRequestError(label, [{ path: "expositions", message: "must be an array" }]);
  const all = [...(expositions as readonly ExpositionInput[])];
  if (all.length > most && absent !== "keep") {
    const message = `${all.length} elements need several requests, each of which omits the others; set absent: "keep" if the service keeps omitted expositions (gap expositions.absent)`;
    throw new InvalidRequestError(label, [{ path: "expositions", message }]);
  }
  for (let done = 0; done < Math.max(1, all.length); done += most) {
    await store.expositions.upsert(externalId, all.slice(done, done + most), call);
    onChunk?.({ done: Math.min(done + most, all.length), total: all.length });
  }
  return store.expositions.get(externalId, call);
}
