import { storeClientReadings } from "../../generated/readings.ts";
import type { ImageStatus, JsonObject, operations, ProtocolStatus } from "../../generated/store.ts";
import { cursorList } from "../core/pagination/cursor-source.ts";
import type { CursorList } from "../core/pagination/list.ts";
import type { Api } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Shape } from "../core/request/shape.ts";
import type { ListQuery, TimeRange } from "./query.ts";

/** A photo, as the photo list carries it; the contract shows none of its members. */
export interface Photo extends JsonObject {}

/** Query of `photos.list`. Contract: store 4, Photos. */
export interface PhotoListQuery extends ListQuery, TimeRange {
  /** Items a page, 1 to 500 (100). */
  limit?: number | undefined;
  /**
   * A protocol's status or an image's. `completed` and `failed` are both: what the server compares them with
   * is a gap (`photos.status`).
   */
  status?: ProtocolStatus | ImageStatus | undefined;
  protocolId?: string | undefined;
  /** A UUID. */
  expositionId?: string | undefined;
  /** Where the list begins (gap `photos.cursor-source`). */
  cursor?: string | undefined;
}

/** Under which names the photo list carries its photos and its cursor. */
export type PhotoPageShape = "items-nextCursor" | "photos-nextCursor" | "data-cursor" | "no-list";

const choices = storeClientReadings["photos.page-shape"].filter((name) => name !== "no-list").join('", "');
const advice = `; the names are a gap of the contract: tell the client with readings: { "photos.page-shape": … } ("${choices}"), or read .raw of the awaited page`;

/** The photos of a store. Contract: store 4, Photos. */
export class Photos<P = Photo> {
  readonly #api: Api<operations>;
  readonly #shape: Shape<P> | undefined;
  readonly #reading: PhotoPageShape;

  constructor(api: Api<operations>, shape: Shape<P> | undefined, reading: PhotoPageShape) {
    this.#api = api;
    this.#shape = shape;
    this.#reading = reading;
  }

  /**
   * Lists the photos of a store.
   *
   * `GET /v1/stores/{externalId}/photos`
   *
   * The contract does not show where the answer carries its photos (gap `photos.page-shape`). Where they do not stand
   * under the names of the reading, `await photos.list(…)` still gives the answer as `.raw`, and iteration throws.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {UnexpectedResponseError} where the answer has no list under the names of the reading
   */
  list(externalId: string, query: PhotoListQuery, options?: CallOptions): CursorList<P> {
    // gap photos.page-shape
    const [items = "items", cursor = "nextCursor"] =
      this.#reading === "no-list" ? [] : this.#reading.split("-");
    const settings = { names: { items, cursor, advice }, idMembers: ["photoId", "id"], rawWithoutList: true };
    const path = { externalId };
    const request = { api: this.#api, operation: "listPhotos", path, query, options, shape: this.#shape };
    return cursorList<P>(request, settings);
  }
}
