import type { components, paths, Store, StoreUpsert } from "../../../generated/store.ts";
import { bodyOf, listSource, toInit } from "../call.ts";
import type { Core } from "../core.ts";
import type { Call } from "../response.ts";
import type { Http } from "../http.ts";
import { cursorList, type CursorList } from "../lists/cursor.ts";
import type { CallOptions } from "../options.ts";
import { StoreApiError } from "./errors.ts";
import type { ListQuery } from "../lists/query.ts";

/** The size of the pages of `stores.list` and `protocols.list`. */
export interface PageLimit {
  /** The number of items on a page, 1 to 100 (default: 100). */
  limit?: number | undefined;
}

/** The query of `stores.list`. Contract: store 4, Stores. */
export interface StoreListQuery extends ListQuery, PageLimit {
  /** The `nextCursor` of the previous page: an external ID. */
  cursor?: string | undefined;
}

/** The stores. Contract: store 4, Stores. */
export class Stores {
  readonly #core: Core;
  readonly #http: Http<paths>;

  constructor(core: Core, http: Http<paths>) {
    this.#core = core;
    this.#http = http;
  }

  /**
   * Lists the stores.
   *
   * `GET /v1/stores`
   * @throws {StoreApiError} `validation_failed`, `unauthorized`, `not_configured`
   * @throws {PaginationError} if the server repeats a page
   * @example for await (const { externalId, name } of store.stores.list()) console.log(externalId, name);
   */
  readonly list = (query?: StoreListQuery, options?: CallOptions): CursorList<Store> =>
    cursorList(
      listSource<Store>(this.#core, "/v1/stores", { query, options }, (sent, init) =>
        this.#http.GET("/v1/stores", { params: { query: sent }, ...init }),
      ),
      { nullableId: "externalId", exists: (externalId) => this.#exists(externalId, options) },
    );

  /**
   * Returns a store.
   *
   * `GET /v1/stores/{externalId}`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   * @example const { name } = await store.stores.get("S-1");
   */
  readonly get = (externalId: string, options?: CallOptions): Call<Store> =>
    bodyOf(this.#http.GET("/v1/stores/{externalId}", toInit({ externalId }, options)));

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
  readonly upsert = (externalId: string, store: StoreUpsert, options?: CallOptions): Call<Store> =>
    bodyOf(
      this.#http.PUT("/v1/stores/{externalId}", {
        ...toInit({ externalId }, options),
        body: store as components["schemas"]["StoreUpsert"], // JSON has no undefined
      }),
    );

  /** Whether a store exists: only the service's own "not found" says that it does not. */
  async #exists(externalId: string, options: CallOptions | undefined): Promise<boolean> {
    try {
      await this.get(externalId, options);
      return true;
    } catch (error) {
      if (error instanceof StoreApiError && error.code === "not_found") return false;
      throw error;
    }
  }
}
