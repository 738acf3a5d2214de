import type { operations, Protocol, ProtocolDetail, ProtocolStatus } from "../../../generated/store.ts";
import type { CursorList } from "../core/pagination/list.ts";
import { rangeList } from "../core/pagination/range-list.ts";
import type { NextPageStrategy } from "../core/pagination/range-source.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import type { ResponseContent } from "../core/request/content.ts";
import type { Api, Call } from "../core/request/api.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { CallOptions } from "../core/options/options.ts";
import { keepSent, type Shape, shapeItems, shapeValue } from "../core/request/shape.ts";
import type { PullBatch } from "./pull.ts";
import type { PullOptions, PullRange } from "./pull-options.ts";
import { startPull } from "./start-pull.ts";
import type { ListQuery, PageLimit, TimeRange } from "./query.ts";

/** Returns the ID of a protocol that has neither `protocolId` nor `id`. */
export type Identify = (protocol: JsonObject) => string;

/** The query of `protocols.list`. Contract: store 4, Protocols. */
export interface ProtocolListQuery extends ListQuery, PageLimit, TimeRange {
  status?: ProtocolStatus | undefined;
  /** Returns the ID of a protocol. By default the client's `identify`, `protocolId`, `id`, or the whole content. */
  identify?: Identify | undefined;
}

/** The options of `protocols.pull`. */
export interface ProtocolPullOptions extends PullOptions {
  status?: ProtocolStatus | undefined;
}

/** The settings with which protocols are read. */
export interface ProtocolSettings<P> {
  protocol: Shape<P> | undefined;
  image: Shape | undefined;
  identify: Identify | undefined;
  /** The time that neighboring time windows share, in ms. */
  overlap: number;
  strategy: NextPageStrategy;
  /** See `rangePrecisions`. */
  precision: number;
}

const idProperties = ["protocolId", "id"];

/** The protocols of a store. Contract: store 4, Protocols. */
export class Protocols<P = Protocol, D = ProtocolDetail> {
  readonly #api: Api<operations>;
  readonly #settings: ProtocolSettings<P>;

  constructor(api: Api<operations>, settings: ProtocolSettings<P>) {
    this.#api = api;
    this.#settings = settings;
  }

  /**
   * Lists the protocols of a store, each once.
   *
   * `GET /v1/stores/{externalId}/protocols`
   *
   * How to request the second page is a gap (`protocols.next-page`): the client sends the cursor, and continues with
   * narrower time ranges if the server ignores it. The strategy is an option of the client.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {PaginationError} if a protocol would be lost or repeated
   * @example
   * const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
   * for await (const protocol of store.protocols.list("S-1", range)) console.log(protocol);
   */
  list(externalId: string, query: ProtocolListQuery, options?: CallOptions): CursorList<P> {
    return this.#open(externalId, query, options, this.#settings.protocol);
  }

  /**
   * Pulls the protocols of a store that are new or have changed since the last run, page by page, each once.
   *
   * `GET /v1/stores/{externalId}/protocols`
   *
   * Save `state` together with the items, and give it to the next run. A run reads from the end of the last run, minus
   * `allowedLateness`, to the present. An interrupted run continues after the last page that was saved. A protocol that
   * appears later than `allowedLateness` after its instant is not found.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {InvalidRequestError} for the state of another list
   * @throws {PaginationError} if a protocol would be lost or repeated
   * @example
   * for await (const { items, state } of store.protocols.pull("S-1", { state: saved, since, allowedLateness: 3_600_000 })) {
   *   await save(items, state); // in one transaction
   * }
   */
  pull(
    externalId: string,
    query: ProtocolPullOptions,
    options?: CallOptions,
  ): AsyncGenerator<PullBatch<P>, void, void> {
    const { identify, precision, protocol } = this.#settings;
    const list = {
      api: this.#api,
      operation: "listProtocols",
      path: { externalId },
      filters: ["status"],
      idProperties,
      identify,
      precision,
      open: (range: PullRange, call: CallOptions | undefined) =>
        this.#open(externalId, range, call, keepSent(protocol)),
    };
    return startPull<P>(list, query, options);
  }

  #open<T>(
    externalId: string,
    query: ProtocolListQuery,
    options: CallOptions | undefined,
    shape: Shape<T> | undefined,
  ): CursorList<T> {
    const { strategy, identify, overlap } = this.#settings;
    const path = { externalId };
    const request = { api: this.#api, operation: "listProtocols", path, query, options, shape };
    return rangeList<T>(request, { strategy, overlap, idProperties, identify });
  }

  /**
   * Returns a protocol with its images.
   *
   * `GET /v1/stores/{externalId}/protocols/{protocolId}`
   * @throws {StoreApiError} `not_found` if the store or the protocol is unknown
   */
  get(externalId: string, protocolId: string, options?: CallOptions): Call<D> {
    const path = { externalId, protocolId };
    const transform = (detail: ProtocolDetail, content: ResponseContent): Promise<D> =>
      this.#readDetail(detail, content);
    return this.#api.call("getProtocol", { path, transform }, options);
  }

  /** Parses a protocol with the `protocol` shape and its images with the `protocolImage` shape. */
  async #readDetail(detail: ProtocolDetail, content: ResponseContent): Promise<D> {
    const { protocol, image } = this.#settings;
    const { images: sent, ...summary } = detail;
    const whole: unknown = protocol === undefined ? summary : await shapeValue(content, protocol, summary);
    if (!isObject(whole)) {
      throw new ConfigurationError(
        "shapes: the output of `protocol` must be an object, because the images are added to it",
      );
    }
    const images = image === undefined ? sent : await shapeItems(content, image, sent, "images");
    return Object.assign(extensible(whole), { images }) as D; // D is P with its images
  }
}

/** Returns the object itself, or a copy if it is frozen. An instance of a class keeps its class. */
function extensible(object: JsonObject): object {
  if (Object.isExtensible(object)) return object;
  // `Object.create` and `getPrototypeOf` return `any`
  return Object.create(
    Object.getPrototypeOf(object) as object,
    Object.getOwnPropertyDescriptors(object),
  ) as object;
}
