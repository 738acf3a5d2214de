import { cursorAhead } from "./cursor-list.ts";
import { CursorList } from "./list.ts";
import { loadOnce } from "../request/load-once.ts";
import { copyCall, type ListRequest } from "./list-call.ts";
import type { RangeSettings } from "./range-source.ts";

const loadSource = /* @__PURE__ */ loadOnce(() => import("./range-source.ts")); // an `import()` takes 15 µs each time

/**
 * The list of a time range for whose cursor the contract declares no parameter. Delivers each item once, with any
 * strategy. Its walk is loaded when it begins.
 */
export function rangeList<T>(request: ListRequest<T>, settings: RangeSettings): CursorList<T> {
  const query = { identify: settings.identify, ...request.query };
  query.identify ??= settings.identify;
  const call = copyCall({ ...request, query }, ["identify", "verify"]);
  return new CursorList({
    call,
    ahead: cursorAhead,
    async *walk(walkSettings) {
      const { walkRangeList } = await loadSource();
      yield* walkRangeList<T>(call, request.shape, settings, walkSettings);
    },
  });
}
