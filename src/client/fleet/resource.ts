import { fleetOperations } from "../../../generated/fleet.operations.ts";
import type { operations } from "../../../generated/fleet.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { JsonObject } from "../../wire/json.ts";
import type { PageList } from "../core/pagination/list.ts";
import { numberedList } from "../core/pagination/numbered-list.ts";
import type { DriftEvent } from "../core/options/drift.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { DestinationLock } from "../core/request/destination.ts";
import { writeLog } from "../core/request/events.ts";
import { notify } from "../core/request/hooks.ts";
import { type Shape, transformWith } from "../core/request/shape.ts";

const advice =
  ' (if the list comes whole, set the client option readings: { "lists.undocumented": "whole" })';

type Operations = typeof fleetOperations;
type OperationId = keyof Operations;

/** A list with pages. */
type FleetList = {
  [Id in keyof Operations]: Operations[Id] extends { list: unknown } ? Id : never;
}[keyof Operations];

/** The destination of all calls with the same options: those of one `ensure` have one. */
export const destinations = new WeakMap<CallOptions, DestinationLock>();

/** The operations of one kind of entity. Contract: fleet 4. */
export class Resource<T> {
  readonly api: Api<operations>;
  readonly #undocumented: "paged" | "whole";
  readonly #output: Shape | undefined;
  readonly #input: Shape | undefined;

  /**
   * @param undocumented gap lists.undocumented: a list that the contract only names by its path may be returned whole
   * @param output parses the entities of responses; a client's type parameter is its output
   * @param input parses whole entities before they are sent
   */
  constructor(api: Api<operations>, undocumented: "paged" | "whole", output?: Shape, input?: Shape) {
    this.api = api;
    this.#undocumented = undocumented;
    this.#output = output;
    this.#input = input;
  }

  /** Opens a list. Contract: fleet 4, Shared list parameters. */
  list<Meta = JsonObject, Item = T>(
    operation: FleetList,
    query: object | undefined,
    options: CallOptions | undefined,
    path: Readonly<Record<string, unknown>> = {},
  ): PageList<Item, Meta> {
    const { api } = this;
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
    const shape = this.#output as Shape<Item> | undefined;
    return numberedList<Item, Meta>({ api, operation, path, query, options, shape }, settings);
  }

  get(operation: OperationId, id: string, options: CallOptions | undefined): Call<T> {
    return this.#call(operation, options, { id });
  }

  create(operation: OperationId, entity: unknown, options: CallOptions | undefined): Call<T> {
    return this.#call(operation, options, undefined, entity, this.#input);
  }

  /** Sends a whole entity. */
  replace(operation: OperationId, id: string, entity: unknown, options: CallOptions | undefined): Call<T> {
    return this.#call(operation, options, { id }, entity, this.#input);
  }

  /** Sends the properties that change. */
  patch(operation: OperationId, id: string, changes: object, options: CallOptions | undefined): Call<T> {
    return this.#call(operation, options, { id }, changes);
  }

  delete(operation: OperationId, id: string, options: CallOptions | undefined): Call<unknown> {
    return this.api.call(operation, { path: { id } }, options);
  }

  #call(
    operation: OperationId,
    options: CallOptions | undefined,
    path?: { id: string },
    body?: unknown,
    bodyShape?: Shape,
  ): Call<T> {
    const transform = transformWith<T>(this.#output);
    const destination = options && destinations.get(options);
    return this.api.call(operation, { path, body, bodyShape, transform, destination }, options);
  }
}
