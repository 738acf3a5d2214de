import { ConfigurationError } from "./clients.ts";
import {
  type PhotoSource,
  type ProtocolSource,
  type PullBatch,
  type PullOptions,
  readTimes,
} from "./pull-options.ts";
import { Pull, type PullSource } from "./pull-run.ts";

/**
 * Delivers the protocols or photos of a store that are new or have changed since the last run, page by page. Save
 * `state` with the items and pass it to the next run; an interrupted run continues after the last page that was saved. Each
 * range is read twice.
 * @throws {InvalidRequestError} for the state of another list, and if `since` is not an instant of the past
 * @throws {JobError} after the last batch, if details could not be read. Nothing is thrown if the loop is left.
 * @throws the reason of the signal if it is aborted
 * @example
 * for await (const { items, state } of pull(store.protocols, "S-1", { since, state: saved, allowedLateness: 3_600_000 }))
 *   await save(items, state); // in one transaction
 */
export function pull<P, D>(
  source: ProtocolSource<P, D>,
  externalId: string,
  options: PullOptions & { details: true },
): AsyncGenerator<PullBatch<D>, void, void>;
export function pull<P>(
  source: PhotoSource<P> | ProtocolSource<P, unknown>,
  externalId: string,
  options: PullOptions & { details?: false | undefined },
): AsyncGenerator<PullBatch<P>, void, void>;
export function pull(
  source: PhotoSource<unknown> | ProtocolSource<unknown, unknown>,
  externalId: string,
  options: PullOptions,
): AsyncGenerator<PullBatch<unknown>, void, void> {
  if (options.details === true && !("get" in source))
    throw new ConfigurationError("pull: only protocols have details");
  return runPull(source as PullSource, externalId, { ...options, extra: structuredClone(options.extra) }); // `get` was checked
}

async function* runPull(
  source: PullSource,
  externalId: string,
  options: PullOptions,
): AsyncGenerator<PullBatch<unknown>, void, void> {
  yield* new Pull(source, externalId, options, readTimes(options)).batches();
}
