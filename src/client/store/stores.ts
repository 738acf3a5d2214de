import { copyOptions } from "../core/pagination/list-call.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import type { operations, Store, StoreUpsert } from "../../../generated/store.ts";
import { cursorList } from "../core/pagination/cursor-list.ts";
import type { CursorList } from "../core/pagination/list.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { ModifyOptions, StoreChange } from "./modify.ts";
import type { ListQuery, PageLimit } from "./query.ts";

/** The query of `stores.list`. Contract: store 4, Stores. */
export interface StoreListQuery extends ListQuery, PageLimit {
  /** The `nextCursor` of the previous page: an external ID. */
  cursor?: string | undefined;
}

const listSettings = {
  names: { items: "items", cursor: "nextCursor" },
  idProperties: ["storeId", "externalId"],
  nullable: {
    property: "externalId",
    largestPage: storeOperations.listStores.query.limit.maximum,
    reader: storeOperations.getStore.id,
  },
};

/** The stores. Contract: store 4, Stores. */
export class Stores {
  readonly #api: Api<operations>;

  constructor(api: Api<operations>) {
    this.#api = api;
  }

  /**
   * Lists the stores.
   *
   * `GET /v1/stores`
   * @throws {StoreApiError} `validation_failed`, `unauthorized`, `not_configured`
   * @throws {PaginationError} if the server repeats a page
   * @example for await (const { externalId, name } of store.stores.list()) console.log(externalId, name);
   */
  list(query?: StoreListQuery, options?: CallOptions): CursorList<Store> {
    return cursorList({ api: this.#api, operation: "listStores", query, options }, listSettings);
  }

  /**
   * Returns a store.
   *
   * `GET /v1/stores/{externalId}`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   * @example const { name } = await store.stores.get("S-1");
   */
  get(externalId: string, options?: CallOptions): Call<Store> {
    return this.#api.call("getStore", { path: { externalId } }, options);
  }

  /**
   * Creates or updates the store with this external ID.
   *
   * `PUT /v1/stores/{externalId}`
   *
   * The contract does not define the effect of omitted properties (gap `stores.omitted-fields`): send every property
   * that must be kept. `storeType: null` differs from an omitted `storeType`. An `externalId` in the body may rename the
   * store (gap `stores.body-external-id`): such a call is retried only if the server said that it did not process it.
   * @throws {StoreApiError} `validation_failed`
   * @example await store.stores.upsert("S-1", { name: "Dworzec Centralny", storeType: "Dworzec" });
   */
  upsert(externalId: string, store: StoreUpsert, options?: CallOptions): Call<Store> {
    return this.#api.call("putStore", { path: { externalId }, body: store }, options);
  }

  /**
   * Reads a store, applies a change, upserts the result and compares what the service kept. Sends nothing if nothing
   * changed. Calls for one store run one after the other.
   *
   * `GET /v1/stores/{externalId}`, `PUT /v1/stores/{externalId}`
   *
   * The body contains every property that was read, so that it has the same meaning under each reading of gap
   * `stores.omitted-fields`. The change is not atomic: the contract has no versions and no ETags, so a change by
   * another program between the last read and the write is overwritten.
   * @param change returns the properties to change, or the whole store; it must not wait for another change of the
   * same store
   * @returns the store as the server returned it
   * @throws {StoreApiError} `not_found`, `validation_failed`
   * @throws {InvalidRequestError} if the change has a property that cannot be changed
   * @throws {WriteError} if the store was not read as a whole, was changed meanwhile, or was not kept as sent
   * @example await store.stores.modify("S-1", ({ name }) => ({ name: name.trim() }));
   */
  async modify(
    externalId: string,
    change: (store: Store) => StoreChange | Promise<StoreChange>,
    options?: ModifyOptions,
  ): Promise<Store> {
    const copied = options && copyOptions(options);
    const { modifyStore } = await import("./modify.ts");
    return modifyStore(this, externalId, change, copied);
  }
}
