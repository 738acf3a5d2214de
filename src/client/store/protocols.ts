import type { paths, Protocol, ProtocolDetail, ProtocolStatus } from "../../../generated/store.ts";
import { serializeInstant } from "../../wire/instant.ts";
import type { JsonObject } from "../../wire/json.ts";
import { bodyOf, listSource } from "../call.ts";
import type { Core } from "../core.ts";
import type { Http } from "../http.ts";
import type { Call, HttpResult } from "../response.ts";
import { cursorList, type CursorList } from "../lists/cursor.ts";
import type { ListQuery } from "../lists/query.ts";
import type { RangeSettings, TimePrecision, TimeRange } from "../lists/range.ts";
import type { CallOptions } from "../options.ts";
import { parseItems, parseResponse, type Shape } from "../shape.ts";
import type { PageLimit } from "./stores.ts";

/** The time that neighboring ranges share, so that no entry falls between them, in ms. */
export const rangeOverlaps: Readonly<Record<TimePrecision, number>> = {
  millisecond: 1,
  second: 1000,
  minute: 60_000,
  day: 86_400_000,
};

/** Returns the ID of a protocol that has neither `protocolId` nor `id`. */
export type Identify = (protocol: JsonObject) => string;

/** The query of `protocols.list`. Contract: store 4, Protocols. */
export interface ProtocolListQuery extends ListQuery, PageLimit, TimeRange {
  status?: ProtocolStatus | undefined;
  /** Returns the ID of a protocol. By default the client's `identify`, `protocolId`, or `id`. */
  identify?: Identify | undefined;
}

/** The settings with which protocols are read. */
export interface ProtocolSettings<P> extends RangeSettings {
  readonly shapes: { readonly protocol?: Shape<P> | undefined; readonly protocolImage?: Shape | undefined };
  readonly identify: Identify | undefined;
}

/** The protocols of a store. Contract: store 4, Protocols. */
export class Protocols<P = Protocol, D = ProtocolDetail> {
  readonly #core: Core;
  readonly #http: Http<paths>;
  readonly #settings: ProtocolSettings<P>;

  constructor(core: Core, http: Http<paths>, settings: ProtocolSettings<P>) {
    this.#core = core;
    this.#http = http;
    this.#settings = settings;
  }

  /**
   * Lists the protocols of a store, each once.
   *
   * `GET /v1/stores/{externalId}/protocols`
   *
   * How to request the second page is a gap (`protocols.next-page`): the client sends the cursor, and continues with
   * narrower time ranges if the server ignores it. The option `protocolPages` of the client changes that.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {PaginationError} if a protocol would be lost or repeated
   * @example
   * const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
   * for await (const protocol of store.protocols.list("S-1", range)) console.log(protocol);
   */
  readonly list = (externalId: string, query: ProtocolListQuery, options?: CallOptions): CursorList<P> => {
    const { shapes, identify } = this.#settings;
    const route = "/v1/stores/{externalId}/protocols";
    const path = { externalId };
    const { from, to, identify: own = identify } = (query as ProtocolListQuery | undefined) ?? {};
    // what divides the range reads one form of an instant; a wrong one is refused when it is sent
    const range = { from: serializeInstant(from) ?? from, to: serializeInstant(to) ?? to };
    const call = { path, query: { ...query, ...range, identify: own }, options, shape: shapes.protocol };
    const source = listSource<P>(this.#core, route, call, (sent, init) =>
      this.#http.GET(route, { params: { path, query: sent }, ...init }),
    );
    return cursorList(source, this.#settings, async function* (walk, settings) {
      const { walkRange } = await import("../lists/range.ts");
      yield* walkRange(walk, settings);
    });
  };

  /**
   * Returns a protocol with its images.
   *
   * `GET /v1/stores/{externalId}/protocols/{protocolId}`
   * @throws {StoreApiError} `not_found` if the store or the protocol is unknown
   */
  readonly get = (externalId: string, protocolId: string, options?: CallOptions): Call<D> => {
    const path = { externalId, protocolId };
    const sent = this.#http.GET("/v1/stores/{externalId}/protocols/{protocolId}", {
      params: { path },
      call: { options },
    });
    const { protocol, protocolImage: image } = this.#settings.shapes;
    // without shapes, D is the contract's type
    return bodyOf<D>(protocol || image ? this.#shapeDetail(sent) : sent, undefined);
  };

  /** Parses a protocol with the `protocol` shape and its images with the `protocolImage` shape. */
  async #shapeDetail(sent: Promise<HttpResult<ProtocolDetail>>): Promise<HttpResult<unknown>> {
    const { protocol, protocolImage: image } = this.#settings.shapes;
    const { data, response } = await sent;
    const { images, ...summary } = data;
    const whole = protocol === undefined ? summary : await parseResponse(response, protocol, summary);
    const shaped = await parseItems(response, image, images, "images");
    return { data: { ...whole, images: shaped }, response };
  }
}
