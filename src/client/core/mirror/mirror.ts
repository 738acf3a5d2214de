import { hidesProperties, isObject } from "../../../wire/json.ts";
import type { CursorList, PageList } from "../pagination/list.ts";
import type { MirrorOptions, MirrorResult } from "./options.ts";
import type { MirrorSink } from "./sink.ts";

/**
 * Copies a list without times into a database, page by page, and keeps the copy up to date: new, changed and deleted
 * entries. A run that was killed continues after the last page that was saved. An entry is deleted only after two
 * passes in a row have missed it, without any change of the list meanwhile.
 * @throws {InvalidRequestError} for the state of another list
 * @throws {PaginationError} if the list changes during each pass, or lacks too many entries; nothing is deleted
 * @example const { added, changed, deleted } = await mirror(fleet.vehicles.list(), sink);
 */
export async function mirror<T, D = undefined>(
  list: CursorList<T> | PageList<T, unknown>,
  sink: MirrorSink<NoInfer<T>, D>,
  options: MirrorOptions<NoInfer<T>, D> = {},
): Promise<MirrorResult> {
  const copied = isObject(options) && !hidesProperties(options) ? { ...options } : options;
  const { startMirror } = await import("./start-mirror.ts");
  return startMirror<T, D>(list, sink, copied);
}
