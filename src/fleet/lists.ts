import type { JsonObject } from "../core/json.ts";
import { PageList } from "../core/page-list.ts";
import { type AskPage, type ListCall, type ListSettings, pageSource } from "./page-source.ts";

/** Makes the lists of one client. Contract: fleet 4, Shared list parameters. */
export class Lists {
  readonly #settings: ListSettings;

  constructor(settings: ListSettings) {
    this.#settings = settings;
  }

  open<T, Meta = JsonObject>(doing: string, call: ListCall, ask: AskPage): PageList<T, Meta> {
    return new PageList<T, Meta>(pageSource(doing, call, this.#settings, ask));
  }
}
