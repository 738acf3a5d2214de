import type { paths, Store, StoreUpsert } from "../../../generated/store.ts";
import { bodyOf, type Call, listSource } from "../call.ts";
import type { Core } from "../core.ts";
import { callInit, type Http } from "../http.ts";
import { cursorList, type CursorList } from "../lists/cursor.ts";
import type { ListQuery } from "../lists/query.ts";
import type { CallOptions } from "../options.ts";
import type { PageLimit } from "./query.ts";

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
   * Returns a store.
   *
   * `GET /v1/stores/{externalId}`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   * @example const { name } = await store.stores.get("S-1");
   */
  readonly get = (externalId: string, options?: CallOptions): Call<Store> =>
    bodyOf(
      this.#core,
      this.#http.GET("/v1/stores/{externalId}", { params: { path: { externalId } }, ...callInit(options) }),
    );

  /**
   * Creates or updates the store with this external ID.
   *
   * `PUT /v1/stores/{externalId}`
   */
  readonly upsert = (externalId: string, store: StoreUpsert, options?: CallOptions): Call<Store> =>
    bodyOf(
      this.#core,
      this.#http.PUT("/v1/stores/{externalId}", {
        params: { path: { externalId } },
        body: store,
        ...callInit(options),
      }),
    );

  /**
   * Lists the stores.
   *
   * `GET /v1/stores`
   */
  readonly list = (query?: StoreListQuery, options?: CallOptions): CursorList<Store> =>
    cursorList(
      listSource({
        core: this.#core,
        route: "/v1/stores",
        query,
        options,
        get: (params, init) => this.#http.GET("/v1/stores", { params: { query: params }, ...init }),
      }),
      { nullableId: "externalId" },
    );
}
