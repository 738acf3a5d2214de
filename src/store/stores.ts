import { storeOperations } from "../../generated/store.operations.ts";
import type { operations, Store, StoreUpsert } from "../../generated/store.ts";
import { cursorList } from "../core/pagination/cursor-source.ts";
import type { CursorList } from "../core/pagination/list.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { ListQuery } from "./query.ts";

/** Query of `stores.list`. Contract: store 4, Stores. */
export interface StoreListQuery extends ListQuery {
  /** Items a page, 1 to 100 (100). */
  limit?: number | undefined;
  /** The `nextCursor` of the page before: an external ID. */
  cursor?: string | undefined;
}

const listSettings = {
  names: { items: "items", cursor: "nextCursor" },
  idMembers: ["storeId", "externalId"],
  largestPage: storeOperations.listStores.query.limit.maximum,
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
   * @throws {PaginationError} where the server repeats itself
   */
  list(query?: StoreListQuery, options?: CallOptions): CursorList<Store> {
    return cursorList(this.#api, "listStores", { query, options }, listSettings);
  }

  /**
   * Returns a store.
   *
   * `GET /v1/stores/{externalId}`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<Store> {
    return this.#api.call("getStore", { path: { externalId } }, options);
  }

  /**
   * Creates or updates the store with this external ID.
   *
   * `PUT /v1/stores/{externalId}`
   *
   * What the server does with properties left out is a gap (`stores.omitted-fields`): send every property that must
   * hold. `storeType: null` is not the same as leaving `storeType` out. With an `externalId` in the body the store may
   * be renamed (gap `stores.body-external-id`): such a call is retried only if the server said that it did not process it.
   * @throws {StoreApiError} `validation_failed`
   */
  upsert(externalId: string, store: StoreUpsert, options?: CallOptions): Call<Store> {
    return this.#api.call("putStore", { path: { externalId }, body: store }, options);
  }
}
