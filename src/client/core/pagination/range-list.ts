import { keepSent, type Shape } from "../request/shape.ts";
import { CursorList } from "./list.ts";
import { loadOnce } from "../options/load-once.ts";
import { idReader } from "./id-reader.ts";
import { copyCall, type ListRequest } from "./list-call.ts";
import type { RangeSettings } from "./range-source.ts";

// an `import()` takes 15 µs each time
const load = /* @__PURE__ */ loadOnce(() =>
  Promise.all([
    import("./list-reader.ts"),
    import("./range-source.ts"),
    import("../request/serialize-query.ts"), // the first request needs it
  ]),
);

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
    idOf: idReader(settings.idProperties, call.positionQuery.identify ?? settings.identify),
    async open() {
      const [{ ListReader }, { walkRangeList }] = await load();
      return new ListReader(call, { name: "prefetch", minimum: 0 }, (walk) =>
        walkRangeList<T>(call, keepSent(request.shape) as unknown as Shape<T>, settings, walk),
      );
    },
  });
}
