import type { paths, Store, StoreUpsert } from "../../generated/store.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import { cursorList } from "../core/pagination/cursor-source.ts";
import type { CursorList } from "../core/pagination/list.ts";
import { integer, text } from "../core/rules.ts";
import { notEmpty } from "./envelope.ts";
import type { ListQuery } from "./query.ts";

/** Query of `stores.list`. Contract: store 4, Stores. */
export interface StoreListQuery extends ListQuery {
  /** Items a page, 1 to 100 (100). */
  limit?: number | undefined;
  /** The `nextCursor` of the page before: an external ID. */
  cursor?: string | undefined;
}

const listRules = { rules: { limit: integer(1, 100), cursor: text } };
const listSettings = {
  names: { items: "items", cursor: "nextCursor" },
  idMembers: ["storeId", "externalId"],
  nullable: { member: "externalId", largestPage: 100 },
};

/** The stores. Contract: store 4, Stores. */
export class Stores {
  readonly #http: Http<paths>;

  constructor(http: Http<paths>) {
    this.#http = http;
  }

  /**
   * Lists the stores.
   *
   * `GET /v1/stores`
   * @throws {StoreApiError} `validation_failed`, `unauthorized`, `not_configured`
   * @throws {PaginationError} where the server repeats itself
   */
  list(query?: StoreListQuery, options?: CallOptions): CursorList<Store> {
    return cursorList({ label: "GET /v1/stores", query, options }, listSettings, (sent, copied, cancel) =>
      this.#http.page("/v1/stores", { query: sent, rules: listRules }, copied, cancel),
    );
  }

  /**
   * Reads one store.
   *
   * `GET /v1/stores/{externalId}`
   * @throws {StoreApiError} `not_found` where no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<Store> {
    return this.#http.get("/v1/stores/{externalId}", { path: { externalId }, finish: notEmpty }, options);
  }

  /**
   * Creates or updates the store with this external ID.
   *
   * `PUT /v1/stores/{externalId}`
   *
   * What the server does with members left out is a gap (`stores.omitted-fields`): send every member that must hold.
   * `storeType: null` and leaving `storeType` out are two things.
   * @throws {StoreApiError} `validation_failed`
   */
  upsert(externalId: string, store: StoreUpsert, options?: CallOptions): Call<Store> {
    return this.#http.put(
      "/v1/stores/{externalId}",
      { path: { externalId }, body: store, finish: notEmpty },
      options,
    );
  }
}
