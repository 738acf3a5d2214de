import { keepSent, type SentItem } from "../request/shape.ts";
import type { CursorSettings } from "./cursor-source.ts";
import { CursorList } from "./list.ts";
import type { MirrorAccess } from "./page-source.ts";
import { loadOnce } from "../request/load-once.ts";
import { copyCall, type ListRequest } from "./list-call.ts";

const loadSource = /* @__PURE__ */ loadOnce(() => import("./cursor-source.ts")); // an `import()` takes 15 µs each time

/** The option of cursor lists that requests pages before they are needed. */
export const cursorAhead = { name: "prefetch", minimum: 0 };

/** A list whose next page is requested with the cursor of the previous page; its walk is loaded when it begins. */
export function cursorList<T>(request: ListRequest<T>, settings: CursorSettings): CursorList<T> {
  const call = copyCall(request, ["verify", "identify"], "cursor");
  const mirrored: MirrorAccess = {
    idProperties: settings.idProperties,
    open({ api, position }) {
      const query = { ...call.baseQuery, ...position };
      return cursorList<SentItem<T>>({ ...request, api, query, shape: keepSent(request.shape) }, settings);
    },
  };
  return new CursorList({
    call,
    mirrored,
    ahead: cursorAhead,
    async *walk(walkSettings) {
      const { walkCursorList } = await loadSource();
      yield* walkCursorList<T>(call, request.shape, settings, walkSettings);
    },
  });
}
