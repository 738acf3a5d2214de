import { protocolStatuses } from "../../generated/store.enums.ts";
import type { paths, Protocol, ProtocolDetail, ProtocolStatus } from "../../generated/store.ts";
import type { Call } from "../core/call.ts";
import { ConfigurationError } from "../core/errors.ts";
import type { Http } from "../core/http.ts";
import { isObject, type JsonObject } from "../core/json.ts";
import type { CallOptions } from "../core/options.ts";
import type { CursorList } from "../core/pagination/list.ts";
import { type NextPageStrategy, rangeList } from "../core/pagination/range-source.ts";
import { instant, integer, oneOf } from "../core/rules.ts";
import { type AnswerContext, type Shape, shapeAnswer, shapeItems } from "../core/shape.ts";
import { withArray } from "./envelope.ts";
import type { ListQuery, TimeRange } from "./query.ts";

/** Tells protocols apart where they carry neither `protocolId` nor `id`. */
export type Identify = (protocol: JsonObject) => string;

/** Query of `protocols.list`. Contract: store 4, Protocols. */
export interface ProtocolListQuery extends ListQuery, TimeRange {
  status?: ProtocolStatus | undefined;
  /** Items a page, 1 to 100 (100). */
  limit?: number | undefined;
  /** Tells protocols apart; left out: the client's `identify`, else `protocolId`, else `id`, else the whole content. */
  identify?: Identify | undefined;
}

/** How protocols are read. */
export interface ProtocolSettings<P> {
  protocol: Shape<P> | undefined;
  image: Shape | undefined;
  identify: Identify | undefined;
  strategy: NextPageStrategy;
}

const label = "GET /v1/stores/{externalId}/protocols";

const listRules = {
  rules: { from: instant, to: instant, status: oneOf(protocolStatuses), limit: integer(1, 100) },
  required: ["from", "to"],
};

/** The protocols of a store. Contract: store 4, Protocols. */
export class Protocols<P = Protocol, D = ProtocolDetail> {
  readonly #http: Http<paths>;
  readonly #settings: ProtocolSettings<P>;

  constructor(http: Http<paths>, settings: ProtocolSettings<P>) {
    this.#http = http;
    this.#settings = settings;
  }

  /**
   * Lists the protocols of a store, each once.
   *
   * `GET /v1/stores/{externalId}/protocols`
   *
   * How to ask for the second page is a gap (`protocols.next-page`): the client sends the cursor, and goes on by
   * narrower ranges of time where the server does not take it. The strategy is an option of the client.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {PaginationError} where a protocol would be lost or repeated
   */
  list(externalId: string, query: ProtocolListQuery, options?: CallOptions): CursorList<P> {
    const { strategy, protocol: shape, identify } = this.#settings;
    const request = { label, path: { externalId }, query, options, shape };
    const settings = { strategy, idMembers: ["protocolId", "id"], identify };
    return rangeList<P>(request, settings, (sent, copied, cancel) =>
      this.#http.page(
        "/v1/stores/{externalId}/protocols",
        { path: { externalId }, query: sent, rules: listRules },
        copied,
        cancel,
      ),
    );
  }

  /**
   * Reads one protocol with its images.
   *
   * `GET /v1/stores/{externalId}/protocols/{protocolId}`
   * @throws {StoreApiError} `not_found` where the store or the protocol is unknown
   */
  get(externalId: string, protocolId: string, options?: CallOptions): Call<D> {
    const finish = (detail: ProtocolDetail, context: AnswerContext): Promise<D> =>
      this.#readDetail(detail, context);
    return this.#http.get(
      "/v1/stores/{externalId}/protocols/{protocolId}",
      { path: { externalId, protocolId }, finish },
      options,
    );
  }

  /** The `protocol` shape reads what the detail shares with a list's protocols, the `protocolImage` shape its images. */
  async #readDetail(detail: ProtocolDetail, context: AnswerContext): Promise<D> {
    const { protocol, image } = this.#settings;
    const { images: sent, ...summary } = withArray(detail, "images", context);
    const whole: unknown = protocol === undefined ? summary : await shapeAnswer(context, protocol, summary);
    if (!isObject(whole)) {
      throw new ConfigurationError("shapes: what `protocol` puts out must be an object, to carry the images");
    }
    const images = await shapeItems(context, image, sent, "images");
    return Object.assign(extensible(whole), { images }) as D; // D is P with its images
  }
}

/** The object itself, or a copy where it is frozen; an instance of a class stays one. */
function extensible(object: JsonObject): object {
  if (Object.isExtensible(object)) return object;
  return Object.assign(Object.create(Object.getPrototypeOf(object) as object) as object, object);
}
