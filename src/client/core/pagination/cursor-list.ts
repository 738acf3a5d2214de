import { keepSent, type SentItem, type Shape } from "../request/shape.ts";
import type { CursorSettings } from "./cursor-source.ts";
import { CursorList } from "./list.ts";
import type { ListAsSent } from "./page-source.ts";
import { loadOnce } from "../options/load-once.ts";
import { idReader } from "./id-reader.ts";
import { copyCall, type ListRequest } from "./list-call.ts";

// an `import()` takes 15 µs each time
const load = /* @__PURE__ */ loadOnce(() =>
  Promise.all([
    import("./list-reader.ts"),
    import("./cursor-source.ts"),
    import("../request/serialize-query.ts"), // the first request needs it
  ]),
);

/** A list whose next page is requested with the cursor of the previous page; its walk is loaded when it begins. */
export function cursorList<T>(request: ListRequest<T>, settings: CursorSettings): CursorList<T> {
  const call = copyCall(request, ["verify", "identify"], "cursor");
  const asSent: ListAsSent = {
    idProperties: settings.idProperties,
    open({ api, query }) {
      return cursorList<SentItem<T>>({ ...call, api, query, shape: keepSent(request.shape) }, settings);
    },
  };
  return new CursorList({
    call,
    idOf: idReader(settings.idProperties, call.positionQuery.identify ?? settings.identify),
    asSent,
    async open() {
      const [{ ListReader }, { walkCursorList }] = await load();
      return new ListReader(call, { name: "prefetch", minimum: 0 }, (walk) =>
        walkCursorList<T>(call, keepSent(request.shape) as unknown as Shape<T>, settings, walk),
      );
    },
  });
}
