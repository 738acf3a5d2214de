import { keepSent, type SentItem } from "../request/shape.ts";
import { PageList } from "./list.ts";
import type { MirrorAccess } from "./page-source.ts";
import { loadOnce } from "../options/load-once.ts";
import { copyCall, type ListRequest } from "./list-call.ts";
import type { NumberedSettings } from "./numbered-source.ts";

// an `import()` takes 15 µs each time
const load = /* @__PURE__ */ loadOnce(() =>
  Promise.all([
    import("./list-reader.ts"),
    import("./numbered-source.ts"),
    import("../request/serialize-query.ts"), // the first request needs it
  ]),
);

/** A list whose pages have numbers; its walk is loaded when it begins. Contract: fleet 4, Shared list parameters. */
export function numberedList<T, Meta>(
  request: ListRequest<T>,
  settings: NumberedSettings,
): PageList<T, Meta> {
  const call = copyCall(request, ["onDrift", "verify"], "page");
  const mirrored: MirrorAccess = {
    idProperties: settings.itemId,
    open({ api, position }) {
      const query = { ...call.baseQuery, ...position, onDrift: "report" };
      return numberedList<SentItem<T>, Meta>(
        { ...request, api, query, shape: keepSent(request.shape) },
        settings,
      );
    },
  };
  return new PageList({
    call,
    mirrored,
    async open() {
      const [{ ListReader }, { walkNumberedList }] = await load();
      return new ListReader(call, { name: "concurrency", minimum: 1 }, (walk) =>
        walkNumberedList<T, Meta>(call, request.shape, settings, walk),
      );
    },
  });
}
