import type { ImageStatus, JsonObject, paths, ProtocolStatus } from "../../../generated/store.ts";
import { listSource } from "../call.ts";
import type { Core } from "../core.ts";
import type { Http } from "../http.ts";
import { cursorList, type CursorList } from "../lists/cursor.ts";
import type { ListQuery } from "../lists/query.ts";
import type { CallOptions } from "../options.ts";
import type { Shape } from "../shape.ts";
import type { TimeRange } from "../lists/range.ts";

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
  /** Returns the ID of a photo. By default `photoId` or `id`. */
  identify?: ((photo: JsonObject) => string) | undefined;
  /** The cursor of the first page (gap `photos.cursor-source`). */
  cursor?: string | undefined;
}

/** The names of the photos and of the cursor in the photo list, which the contract does not show. */
export interface PhotoPage {
  items: string;
  cursor: string;
}

/** Names of lists and cursors in use: a page that has others than the configured ones is an error. */
const knownNames = ["items", "photos", "data", "nextCursor", "cursor"];

/** The photos of a store. Contract: store 4, Photos. */
export class Photos<P = Photo> {
  readonly #core: Core;
  readonly #http: Http<paths>;
  readonly #shape: Shape<P> | undefined;
  readonly #names: PhotoPage | undefined;

  constructor(core: Core, http: Http<paths>, names: PhotoPage | undefined, shape: Shape<P> | undefined) {
    this.#core = core;
    this.#http = http;
    this.#names = names;
    this.#shape = shape;
  }

  /**
   * Lists the photos of a store.
   *
   * `GET /v1/stores/{externalId}/photos`
   *
   * The contract does not show the properties of the response that hold the photos and the cursor (gap
   * `photos.page-shape`): set the option `photoPage` of the client, or read one page with `store.http.GET`.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {UnexpectedResponseError} if the response has no list under the configured names, or items or a next page under
   * others as well
   * @example
   * const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
   * for await (const photo of store.photos.list("S-1", range)) console.log(photo);
   */
  readonly list = (externalId: string, query: PhotoListQuery, options?: CallOptions): CursorList<P> => {
    const route = "/v1/stores/{externalId}/photos";
    const path = { externalId };
    const call = { path, query, options, shape: this.#shape };
    const source = listSource<P>(this.#core, route, call, (sent, init) =>
      this.#http.GET(route, { params: { path, query: sent }, ...init }),
    );
    return cursorList(source, {
      names: this.#names,
      otherNames: knownNames,
      advice: "; the contract does not show the names of its properties: set the client option photoPage",
    });
  };
}
