import type { JsonObject } from "../core/json.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { AskPage } from "../core/pagination/list-call.ts";
import { numberedList } from "../core/pagination/numbered-source.ts";
import type { DriftEvent } from "../core/pagination/page.ts";
import type { CallOptions } from "../core/options.ts";
import type { Shape } from "../core/shape.ts";

/** How the client's lists are read. */
export interface ListSettings {
  /** gap lists.unshown: a list known by path alone may come whole. */
  unshown: "paged" | "whole";
  onDrift: ((event: DriftEvent) => void) | undefined;
}

/** One list as it was called. */
interface FleetListCall {
  path?: Readonly<Record<string, unknown>>;
  query: object | undefined;
  options: CallOptions | undefined;
  /** What each item is read with. */
  shape?: Shape | undefined;
  /** The member that holds an item's ID (`id`). */
  idMember?: string;
  /** The contract shows the response: it never comes without pagination. */
  shown?: boolean;
}

const advice = ' (if the list comes whole, set the client option readings: { "lists.unshown": "whole" })';

/** Makes the lists of one client. Contract: fleet 4, Shared list parameters. */
export class Lists {
  readonly #settings: ListSettings;

  constructor(settings: ListSettings) {
    this.#settings = settings;
  }

  open<T, Meta = JsonObject>(label: string, call: FleetListCall, ask: AskPage): PageList<T, Meta> {
    const { unshown, onDrift } = this.#settings;
    const { path = {}, query, options, shape, idMember = "id", shown = false } = call;
    const settings = {
      idMember,
      mayBeWhole: unshown === "whole" && !shown,
      advice: shown ? "" : advice,
      report: (operation: string, drift: DriftEvent["drift"]) => onDrift?.({ operation, drift }),
    };
    // a client's type parameter is what its shape puts out
    const request = { label, path, query, options, shape: shape as Shape<T> | undefined };
    return numberedList<T, Meta>(request, settings, ask);
  }
}
