import { keepSent, type SentItem, type Shape } from "../request/shape.ts";
import { PageList } from "./list.ts";
import type { ListAsSent } from "./page-source.ts";
import { loadOnce } from "../options/load-once.ts";
import { idReader } from "./id-reader.ts";
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
  const asSent: ListAsSent = {
    idProperties: settings.itemId,
    open({ api, query }) {
      return numberedList<SentItem<T>, Meta>(
        { ...call, api, query, shape: keepSent(request.shape) },
        settings,
      );
    },
  };
  return new PageList({
    call,
    idOf: idReader(settings.itemId),
    asSent,
    async open() {
      const [{ ListReader }, { walkNumberedList }] = await load();
      return new ListReader(call, { name: "concurrency", minimum: 1 }, (walk) =>
        walkNumberedList<T, Meta>(call, keepSent(request.shape) as unknown as Shape<T>, settings, walk),
      );
    },
  });
}
