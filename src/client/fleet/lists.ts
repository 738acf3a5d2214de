import { fleetOperations } from "../../../generated/fleet.operations.ts";
import type { operations } from "../../../generated/fleet.ts";
import type { Api } from "../core/request/api.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { PageList } from "../core/pagination/list.ts";
import { numberedList } from "../core/pagination/numbered-list.ts";
import { describeDrift, type DriftEvent } from "../core/options/drift.ts";
import type { CallOptions, Hooks } from "../core/options/options.ts";
import { notify } from "../core/request/hooks.ts";
import type { Shape } from "../core/request/shape.ts";

/** The settings of the client for its lists. */
export interface ListSettings {
  /** gap lists.undocumented: a list that the contract only names by its path may be returned whole. */
  undocumented: "paged" | "whole";
  hooks: Hooks;
  /** Writes a warning to the log. */
  warn: ((line: string) => void) | undefined;
}

/** The arguments of one list call. */
interface FleetListCall {
  path?: Readonly<Record<string, unknown>>;
  query: object | undefined;
  options: CallOptions | undefined;
  /** Parses each item. */
  shape?: Shape | undefined;
}

const advice =
  ' (if the list comes whole, set the client option readings: { "lists.undocumented": "whole" })';

type Operations = typeof fleetOperations;

/** A list with pages. */
type FleetList = {
  [Id in keyof Operations]: Operations[Id] extends { list: unknown } ? Id : never;
}[keyof Operations];

/** Creates the lists of one client. Contract: fleet 4, Shared list parameters. */
export class Lists {
  readonly #api: Api<operations>;
  readonly #settings: ListSettings;

  constructor(api: Api<operations>, settings: ListSettings) {
    this.#api = api;
    this.#settings = settings;
  }

  open<T, Meta = JsonObject>(operation: FleetList, call: FleetListCall): PageList<T, Meta> {
    const { undocumented, hooks, warn } = this.#settings;
    const api = this.#api;
    const { path = {}, query, options, shape } = call;
    const { isDocumented, itemId } = fleetOperations[operation].list;
    const settings = {
      itemId,
      mayBeWhole: undocumented === "whole" && !isDocumented,
      advice: isDocumented ? "" : advice,
      report: (id: string, drift: DriftEvent["drift"]) => {
        notify(hooks, "onDrift", () => ({ operation: id, drift }));
        warn?.(api.redact(`shelfleet: ${id}: ${describeDrift(drift)}`));
      },
    };
    // a client's type parameter is the output of its shape
    const read = { query, options, shape: shape as Shape<T> | undefined };
    return numberedList<T, Meta>({ api, operation, path, ...read }, settings);
  }
}
