import { fleetOperations } from "../../../generated/fleet.operations.ts";
import type { operations } from "../../../generated/fleet.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { PageList } from "../core/pagination/list.ts";
import { numberedList } from "../core/pagination/numbered-list.ts";
import type { DriftEvent } from "../core/options/drift.ts";
import type { CallOptions } from "../core/options/options.ts";
import { writeLog } from "../core/request/events.ts";
import { notify } from "../core/request/hooks.ts";
import type { AnyInput, Input } from "../core/request/operation.ts";
import { type Shape, transformWith } from "../core/request/shape.ts";

const advice =
  ' (if the list comes whole, set the client option readings: { "lists.undocumented": "whole" })';

type Operations = typeof fleetOperations;
type OperationId = keyof Operations;

/** A list with pages. */
type FleetList = {
  [Id in keyof Operations]: Operations[Id] extends { list: unknown } ? Id : never;
}[keyof Operations];

/** Changes the input of all calls with the same options: those of one `ensure`. */
export const adjustments = new WeakMap<CallOptions, (input: AnyInput) => AnyInput>();

/** The operations of one kind of entity. Contract: fleet 4. */
export class Resource<T> {
  readonly #api: Api<operations>;
  readonly #undocumented: "paged" | "whole";
  readonly #output: Shape | undefined;
  readonly #input: Shape | undefined;

  /**
   * @param undocumented gap lists.undocumented: a list that the contract only names by its path may be returned whole
   * @param output parses the entities of responses; a client's type parameter is its output
   * @param input parses whole entities before they are sent
   */
  constructor(api: Api<operations>, undocumented: "paged" | "whole", output?: Shape, input?: Shape) {
    this.#api = api;
    this.#undocumented = undocumented;
    this.#output = output;
    this.#input = input;
  }

  /** Opens a list. Contract: fleet 4, Shared list parameters. */
  list<Meta = Record<string, unknown>, Item = T>(
    operation: FleetList,
    query: object | undefined,
    options: CallOptions | undefined,
    path?: Readonly<Record<string, unknown>>,
  ): PageList<Item, Meta> {
    const api = this.#api;
    const { isDocumented, itemId } = fleetOperations[operation].list;
    const settings = {
      itemId,
      mayBeWhole: this.#undocumented === "whole" && !isDocumented,
      advice: isDocumented ? "" : advice,
      report: (event: DriftEvent, description: string) => {
        notify(api.config.hooks, "onDrift", () => event);
        writeLog(api.config, (log) => log.writeDrift(event, api.config.secret.redactor.redact(description)));
      },
    };
    // a client's type parameter is the output of its shape
    const shape = this.#output as Shape<Item> | undefined;
    return numberedList<Item, Meta>({ api, operation, path, query, options, shape }, settings);
  }

  get(operation: OperationId, id: string, options: CallOptions | undefined): Call<T> {
    return this.#call(operation, { path: { id } }, options);
  }

  create(operation: OperationId, body: unknown, options: CallOptions | undefined): Call<T> {
    return this.replace(operation, "", body, options); // the path of a POST has no ID
  }

  /** Sends a whole entity. */
  replace(operation: OperationId, id: string, body: unknown, options: CallOptions | undefined): Call<T> {
    return this.#call(operation, { path: { id }, body, bodyShape: this.#input }, options);
  }

  /** Sends the properties that change. */
  patch(operation: OperationId, id: string, body: object, options: CallOptions | undefined): Call<T> {
    return this.#call(operation, { path: { id }, body }, options);
  }

  delete(operation: OperationId, id: string, options: CallOptions | undefined): Call<unknown> {
    return this.call(operation, { path: { id } }, options);
  }

  /** Calls an operation whose response has no shape. */
  call<R>(operation: OperationId, input: AnyInput, options: CallOptions | undefined): Call<R> {
    const adjust = options && adjustments.get(options);
    // the type of an input depends on its operation
    const adjusted = (adjust ? adjust(input) : input) as Input<operations[OperationId], R>;
    return this.#api.call<OperationId, R>(operation, adjusted, options);
  }

  #call(operation: OperationId, input: AnyInput, options: CallOptions | undefined): Call<T> {
    return this.call(operation, { ...input, transform: transformWith<T>(this.#output) }, options);
  }
}
