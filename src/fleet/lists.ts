import type { JsonObject } from "../internal/json.ts";
import { PageList } from "../core/page-list.ts";
import type { AskPage, ListCall, ListSettings } from "./list-call.ts";

/** Makes the lists of one client. Contract: fleet 4, Shared list parameters. */
export class Lists {
  readonly #settings: ListSettings;

  constructor(settings: ListSettings) {
    this.#settings = settings;
  }

  open<T, Meta = JsonObject>(doing: string, call: ListCall, ask: AskPage): PageList<T, Meta> {
    const load = async () =>
      (await import("./page-source.ts")).readPages<T, Meta>(doing, call, this.#settings, ask);
    return new PageList<T, Meta>(doing, load);
  }
}
