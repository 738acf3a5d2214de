import { storeClientReadings } from "../../../generated/readings.ts";
import type { ImageStatus, JsonObject, operations, ProtocolStatus } from "../../../generated/store.ts";
import { cursorList } from "../core/pagination/cursor-list.ts";
import type { CursorList } from "../core/pagination/list.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import { keepSent, type Shape } from "../core/request/shape.ts";
import type { PullBatch } from "./pull.ts";
import type { PullOptions, PullRange } from "./pull-options.ts";
import { startPull } from "./start-pull.ts";
import type { ListQuery, TimeRange } from "./query.ts";

/** A photo in the photo list. The contract shows none of its properties. */
export interface Photo extends JsonObject {}

/** The query of `photos.list`. Contract: store 4, Photos. */
export interface PhotoListQuery extends ListQuery, TimeRange {
  /** The number of items on a page, 1 to 500 (default: 100). */
  limit?: number | undefined;
  /**
   * The status of a protocol or of an image. `completed` and `failed` are values of both; which one the server compares
   * is a gap (`photos.status`).
   */
  status?: ProtocolStatus | ImageStatus | undefined;
  protocolId?: string | undefined;
  /** A UUID. */
  expositionId?: string | undefined;
  /** Returns the ID of a photo. By default `photoId`, `id`, or the whole content. */
  identify?: ((photo: JsonObject) => string) | undefined;
  /** The cursor of the first page (gap `photos.cursor-source`). */
  cursor?: string | undefined;
}

/** The query of `photos.listRaw`: the contract's own parameters. */
export type PhotoPageQuery = Omit<PhotoListQuery, Exclude<keyof ListQuery, "extra"> | "identify">;

/** The options of `photos.pull`. */
export interface PhotoPullOptions
  extends PullOptions,
    Pick<PhotoListQuery, "status" | "protocolId" | "expositionId"> {}

/** The names of the photos and the cursor in the photo list. */
export type PhotoPageShape = "items-nextCursor" | "photos-nextCursor" | "data-cursor" | "no-list";

const choices = storeClientReadings["photos.page-shape"].filter((name) => name !== "no-list");
const advice = `; the names are a gap of the contract: configure them with readings: { "photos.page-shape": … } ("${choices.join('", "')}"), or read the response with photos.listRaw()`;
const names = choices.flatMap((choice) => choice.split("-"));

const idProperties = ["photoId", "id"];

/** The photos of a store. Contract: store 4, Photos. */
export class Photos<P = Photo> {
  readonly #api: Api<operations>;
  readonly #shape: Shape<P> | undefined;
  readonly #reading: PhotoPageShape;
  readonly #precision: number;

  constructor(
    api: Api<operations>,
    {
      photo,
      pageShape,
      precision,
    }: { photo: Shape<P> | undefined; pageShape: PhotoPageShape; precision: number },
  ) {
    this.#api = api;
    this.#shape = photo;
    this.#reading = pageShape;
    this.#precision = precision;
  }

  /**
   * Lists the photos of a store.
   *
   * `GET /v1/stores/{externalId}/photos`
   *
   * The contract does not show the properties of the response that hold the photos and the cursor (gap
   * `photos.page-shape`): set the reading of the service, or read one page with `listRaw`.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {UnexpectedResponseError} if the response has no list under the names of the reading, or items or a next page under others as well
   * @example
   * const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
   * for await (const photo of store.photos.list("S-1", range)) console.log(photo);
   */
  list(externalId: string, query: PhotoListQuery, options?: CallOptions): CursorList<P> {
    return this.#open(externalId, query, options, this.#shape);
  }

  /**
   * Pulls the photos of a store that are new or have changed since the last run, page by page, each once.
   *
   * `GET /v1/stores/{externalId}/photos`
   *
   * It works as `protocols.pull`. The ID of a photo is its `photoId` or `id`. If photos have signed URLs, give a
   * `fingerprint` without them; otherwise each run delivers the photos of the last `allowedLateness` again.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {InvalidRequestError} for the state of another list
   * @throws {PaginationError} if a photo would be lost or repeated
   */
  pull(
    externalId: string,
    query: PhotoPullOptions,
    options?: CallOptions,
  ): AsyncGenerator<PullBatch<P>, void, void> {
    const list = {
      api: this.#api,
      operation: "listPhotos",
      path: { externalId },
      filters: ["status", "protocolId", "expositionId"],
      idProperties,
      identify: undefined,
      precision: this.#precision,
      open: (range: PullRange, call: CallOptions | undefined) =>
        this.#open(externalId, range, call, keepSent(this.#shape)),
    };
    return startPull<P>(list, query, options);
  }

  #open<T>(
    externalId: string,
    query: PhotoListQuery,
    options: CallOptions | undefined,
    shape: Shape<T> | undefined,
  ): CursorList<T> {
    // gap photos.page-shape
    const [items = "items", cursor = "nextCursor"] =
      this.#reading === "no-list" ? [] : this.#reading.split("-");
    const settings = {
      names: { items, cursor, others: names.filter((name) => name !== items && name !== cursor), advice },
      idProperties,
    };
    const path = { externalId };
    const request = { api: this.#api, operation: "listPhotos", path, query, options, shape };
    return cursorList<T>(request, settings);
  }

  /**
   * Returns one page of the photos of a store as the service sent it, whatever its properties are.
   *
   * `GET /v1/stores/{externalId}/photos`
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  listRaw(externalId: string, query: PhotoPageQuery, options?: CallOptions): Call<JsonObject> {
    return this.#api.call("listPhotos", { path: { externalId }, query }, options);
  }
}
