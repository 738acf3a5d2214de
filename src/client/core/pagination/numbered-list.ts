import { keepSent, type SentItem } from "../request/shape.ts";
import { PageList } from "./list.ts";
import type { MirrorAccess } from "./page-source.ts";
import { loadOnce } from "../request/load-once.ts";
import { copyCall, type ListRequest } from "./list-call.ts";
import type { NumberedSettings } from "./numbered-source.ts";

const loadSource = /* @__PURE__ */ loadOnce(() => import("./numbered-source.ts")); // an `import()` takes 15 µs each time

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
    ahead: { name: "concurrency", minimum: 1 },
    async *walk(walkSettings) {
      const { walkNumberedList } = await loadSource();
      yield* walkNumberedList<T, Meta>(call, request.shape, settings, walkSettings);
    },
  });
}
