import { copyOptions } from "../core/pagination/list-call.ts";
import { copyQuery } from "../core/request/build.ts";
import type { CallOptions } from "../core/options/options.ts";
import { hidesProperties, isObject } from "../../wire/json.ts";
import type { PullBatch } from "./pull.ts";
import type { PulledList, PullOptions } from "./pull-options.ts";

/** Starts a pull. It copies its arguments at once, so that later changes by the caller have no effect. */
export function startPull<T>(
  list: PulledList<T>,
  query: PullOptions,
  options: CallOptions | undefined,
): AsyncGenerator<PullBatch<T>, void, void> {
  const copy =
    isObject(query) && !hidesProperties(query) ? Object.assign({ ...query }, copyQuery(query)) : query;
  return run(list, copy, options && copyOptions(options));
}

async function* run<T>(
  list: PulledList<T>,
  query: PullOptions,
  options: CallOptions | undefined,
): AsyncGenerator<PullBatch<T>, void, void> {
  const { pull } = await import("./pull.ts");
  yield* pull<T>(list, query, options);
}
