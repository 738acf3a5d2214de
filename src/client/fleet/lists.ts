import { fleetOperations } from "../../../generated/fleet.operations.ts";
import type { operations } from "../../../generated/fleet.ts";
import type { Api } from "../core/request/api.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { PageList } from "../core/pagination/list.ts";
import { numberedList } from "../core/pagination/numbered-list.ts";
import type { DriftEvent } from "../core/options/drift.ts";
import type { CallOptions } from "../core/options/options.ts";
import { writeLog } from "../core/request/events.ts";
import { notify } from "../core/request/hooks.ts";
import type { Shape } from "../core/request/shape.ts";

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
  readonly #undocumented: "paged" | "whole";

  /** @param undocumented gap lists.undocumented: a list that the contract only names by its path may be returned whole */
  constructor(api: Api<operations>, undocumented: "paged" | "whole") {
    this.#api = api;
    this.#undocumented = undocumented;
  }

  open<T, Meta = JsonObject>(operation: FleetList, call: FleetListCall): PageList<T, Meta> {
    const api = this.#api;
    const { path = {}, query, options, shape } = call;
    const { isDocumented, itemId } = fleetOperations[operation].list;
    const settings = {
      itemId,
      mayBeWhole: this.#undocumented === "whole" && !isDocumented,
      advice: isDocumented ? "" : advice,
      report: (event: DriftEvent, description: string) => {
        notify(api.config.hooks, "onDrift", () => event);
        writeLog(api.config, (log) => log.writeDrift(event, api.redact(description)));
      },
    };
    // a client's type parameter is the output of its shape
    const read = { query, options, shape: shape as Shape<T> | undefined };
    return numberedList<T, Meta>({ api, operation, path, ...read }, settings);
  }
}
