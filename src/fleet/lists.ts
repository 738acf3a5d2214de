import type { FleetOperationId } from "../../generated/fleet.operations.ts";
import type { operations } from "../../generated/fleet.ts";
import type { Api } from "../core/request/api.ts";
import type { JsonObject } from "../internal/json.ts";
import type { PageList } from "../core/pagination/list.ts";
import { numberedList } from "../core/pagination/numbered-source.ts";
import type { DriftEvent } from "../core/options/drift.ts";
import type { CallOptions, Hooks } from "../core/options/options.ts";
import { notify } from "../core/request/hooks.ts";
import type { Shape } from "../core/request/shape.ts";

/** How the client's lists are read. */
export interface ListSettings {
  /** gap lists.unshown: a list known by path alone may come whole. */
  unshown: "paged" | "whole";
  hooks: Hooks;
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
  readonly #api: Api<operations>;
  readonly #settings: ListSettings;

  constructor(api: Api<operations>, settings: ListSettings) {
    this.#api = api;
    this.#settings = settings;
  }

  open<T, Meta = JsonObject>(operation: FleetOperationId, call: FleetListCall): PageList<T, Meta> {
    const { unshown, hooks } = this.#settings;
    const { path = {}, query, options, shape, idMember = "id", shown = false } = call;
    const settings = {
      idMember,
      mayBeWhole: unshown === "whole" && !shown,
      advice: shown ? "" : advice,
      report: (id: string, drift: DriftEvent["drift"]) => notify(hooks, "onDrift", { operation: id, drift }),
    };
    // a client's type parameter is what its shape puts out
    const read = { query, options, shape: shape as Shape<T> | undefined };
    return numberedList<T, Meta>({ api: this.#api, operation, path, ...read }, settings);
  }
}
