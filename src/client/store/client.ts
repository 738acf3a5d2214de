import {
  type GapReadings,
  gapChecksums,
  repeatableReadings,
  storeClientReadings,
  storeClientStrategies,
} from "../../../generated/readings.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import type {
  ExpositionFillRate,
  FillRates as FillRatesResponse,
  operations,
  Protocol,
  ProtocolDetail,
  ProtocolImage,
  StoreFillRates,
} from "../../../generated/store.ts";
import { commonConfig, describeClient, makeRedactor, mergeOptions, withoutSecret } from "../core/client.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import {
  checkClientOptions,
  checkedLater,
  mustBeFunction,
  type OptionRule,
} from "../core/options/check-options.ts";
import type { ClientOptions } from "../core/options/options.ts";
import { checkChoices, checkReadings } from "../core/options/readings.ts";
import { Api } from "../core/request/api.ts";
import { copyOptions } from "../core/pagination/list-call.ts";
import type { NextPageStrategy } from "../core/pagination/range-source.ts";
import { type ClientFetch, makeClientFetch } from "../core/request/client-fetch.ts";
import type { ShapedAs } from "../core/request/operation.ts";
import { linkCopy } from "../core/request/originals.ts";
import { retryClassifier } from "../core/request/retry-class.ts";
import { checkSendable, Secret, type SecretSource } from "../core/request/secret.ts";
import type { Shape } from "../core/request/shape.ts";
import { checkBaseUrl } from "../core/request/url.ts";
import { inspectSymbol } from "../../wire/inspect.ts";
import { isObject } from "../../wire/json.ts";
import type { ReadingsFile } from "../../wire/readings-file.ts";
import { shapeNames } from "../../wire/shape-names.ts";
import { storeAdapter, storeRetryGaps } from "./adapter.ts";
import { Contacts } from "./contacts.ts";
import { Expectations } from "./expectations.ts";
import { Expositions } from "./expositions.ts";
import { FillRates, type Rates } from "./fill-rates.ts";
import { loadSchemas } from "./load-schemas.ts";
import { type Photo, Photos } from "./photos.ts";
import { type Identify, Protocols } from "./protocols.ts";
import { rangePrecisions } from "./query.ts";
import { Stores } from "./stores.ts";

/**
 * Schemas for the objects that the contract leaves open, of any library that implements Standard Schema (zod, valibot,
 * arktype). The client types, validates and transforms these objects with them.
 */
export interface StoreShapes {
  protocol?: Shape | undefined;
  protocolImage?: Shape | undefined;
  photo?: Shape | undefined;
  storeFillRates?: Shape | undefined;
  expositionFillRate?: Shape | undefined;
  fillRates?: Shape | undefined;
}

/**
 * The readings of gaps, by the gap's ID. A gap is a question that the contract leaves open, a reading is one way to
 * resolve it; `shelfleet/gaps` describes all. Readings that do not concern the client are ignored.
 */
export type StoreReadings = {
  readonly [Gap in keyof GapReadings]?: GapReadings[Gap][number] | undefined;
};

/** The strategies by the gap's ID. A strategy is one of several ways in which the client can handle a gap. */
export interface StoreStrategies {
  /** The way in which the client requests the second page of protocols (default: `auto`). */
  "protocols.next-page"?: NextPageStrategy | undefined;
}

/** The options of `StoreClient`. */
export interface StoreClientOptions<Shapes extends StoreShapes = StoreShapes> extends ClientOptions {
  /** The URL before `/v1`: https, or http to a loopback host. */
  baseUrl: string | URL;
  /** The bearer token, or a function that returns it. After a 401 the function is called again. */
  token: SecretSource;
  /** The readings that this service uses, or the whole readings file of `shelfleet probe`. */
  readings?: StoreReadings | ReadingsFile<StoreReadings> | undefined;
  /** The ways in which the client handles gaps that it can handle in several ways. */
  strategies?: StoreStrategies | undefined;
  /** Schemas for the objects that the contract leaves open. */
  shapes?: Shapes | undefined;
  /** Returns the ID of a protocol that has neither `protocolId` nor `id`. */
  identify?: Identify | undefined;
}

const own = {
  rules: {
    baseUrl: checkedLater,
    token: checkedLater,
    strategies: checkedLater,
    identify: mustBeFunction,
  } satisfies Record<
    Exclude<keyof StoreClientOptions, keyof ClientOptions | "readings" | "shapes">,
    OptionRule
  >,
  shapes: shapeNames.store satisfies readonly (keyof StoreShapes)[],
};

/**
 * A client of the store integration API: stores, contacts, expectations, expositions, protocols, photos and fill rates.
 * @example
 * const store = new StoreClient({ baseUrl: "https://stores.example.com", token: () => readToken() });
 * const { name } = await store.stores.get("S-1");
 */
export class StoreClient<const Shapes extends StoreShapes = object> {
  readonly stores: Stores;
  readonly contacts: Contacts;
  readonly expectations: Expectations;
  readonly expositions: Expositions;
  readonly protocols: Protocols<ShapedAs<Shapes, "protocol", Protocol>, DetailOf<Shapes>>;
  readonly photos: Photos<ShapedAs<Shapes, "photo", Photo>>;
  readonly fillRates: FillRates<RatesOf<Shapes>>;
  /** A standard `fetch` with the client's authentication, timeouts, retries and hooks, for URLs below its base URL. */
  readonly fetch: ClientFetch;

  /** The base URL without a trailing slash. */
  readonly baseUrl: string;

  /** The readings that the client was created with. */
  readonly readings: StoreReadings;

  readonly #options: StoreClientOptions<Shapes>;
  readonly #api: Api<operations>;

  /** @throws {ConfigurationError} for a wrong option */
  constructor(options: StoreClientOptions<Shapes>) {
    if (!isObject(options))
      throw new ConfigurationError("StoreClient: the options must be an object { baseUrl, token }");
    const { api, baseUrl, readings, strategy } = withoutSecret(options.token, () => configure(options));
    this.#options = { ...copyOptions(options), baseUrl, readings };
    this.#api = api;
    this.baseUrl = baseUrl;
    this.readings = readings;
    // the classes below return the output of the shapes, which their type parameters describe
    const { protocol, protocolImage: image, photo, ...fillRates } = (options.shapes ?? {}) as StoreShapes;
    this.stores = new Stores(api);
    this.contacts = new Contacts(api);
    this.expectations = new Expectations(api);
    this.expositions = new Expositions(api);
    const precision = rangePrecisions[readings["time-range.precision"] ?? "millisecond"];
    this.protocols = new Protocols(api, {
      // as above
      protocol: protocol as Shape<ShapedAs<Shapes, "protocol", Protocol>> | undefined,
      image,
      identify: options.identify,
      strategy,
      precision,
      // without a reading, a second
      overlap: readings["time-range.precision"] === "millisecond" ? 1 : precision,
    });
    this.photos = new Photos(api, {
      // as above
      photo: photo as Shape<ShapedAs<Shapes, "photo", Photo>> | undefined,
      pageShape: readings["photos.page-shape"] ?? storeClientReadings["photos.page-shape"][0],
      precision,
    });
    this.fillRates = new FillRates(api, fillRates);
    this.fetch = makeClientFetch(api, [baseUrl]);
  }

  /**
   * Creates a client with other options over the same connections. A given option replaces the client's own; an omitted
   * or undefined one is kept. Both share `maxConcurrency` unless it is given.
   */
  withOptions<const Changed extends StoreShapes = Shapes>(
    changes: Partial<StoreClientOptions<Changed>>,
  ): StoreClient<Changed> {
    // the shapes are the given ones or those of this client, as the type states
    const base = this.#options as object as StoreClientOptions<Changed>;
    return linkCopy(new StoreClient(mergeOptions(base, changes, this.#api.config)), this);
  }

  /**
   * Ends the client: sends no further request, ends the waits for retries and the limiter, and resolves when the requests in
   * flight have ended. Calls that are not finished then reject with an `AbortError`. Also drains the clients of
   * `withOptions`.
   * @example process.once("SIGTERM", () => client.drain());
   */
  drain(): Promise<void> {
    return this.#api.config.shared.drain.drain();
  }

  /** Returns the output of `console.log` and `util.inspect`: the base URL, the timeout and the number of retries. */
  [inspectSymbol](): string {
    return describeClient("StoreClient", [this.baseUrl], this.#api.config);
  }
}

/** Validates the base URL of a client or of an environment variable. Contract: store, first paragraph. */
export function checkStoreUrl(name: string, given: unknown, { allowInsecure }: ClientOptions): string {
  const url = checkBaseUrl(name, given, allowInsecure === true);
  if (!url.endsWith("/v1")) return url;
  throw new ConfigurationError(
    `${name} must not end in /v1, which every path has. Write ${url.slice(0, -3)}`,
  );
}

function configure(options: StoreClientOptions) {
  checkClientOptions(options, own);
  const baseUrl = checkStoreUrl("baseUrl", options.baseUrl, options);
  const readings = checkReadings(storeClientReadings, gapChecksums, options.readings);
  checkChoices("strategies", storeClientStrategies, options.strategies);
  const api = new Api<operations>({
    ...commonConfig(options),
    secret: new Secret(options.token, (token) => checkSendable("token", token), makeRedactor(options)),
    destination: { baseUrl },
    operations: storeOperations,
    adapter: storeAdapter,
    retryClassOf: retryClassifier(readings, repeatableReadings, storeRetryGaps),
    rejection: readings["errors.store-not-processed"],
    loadSchemas,
  });
  const strategy: NextPageStrategy = options.strategies?.["protocols.next-page"] ?? "auto";
  return { api, baseUrl, readings, strategy };
}

type RatesOf<Shapes> = Shapes extends
  | { storeFillRates: Shape }
  | { expositionFillRate: Shape }
  | { fillRates: Shape }
  ? {
      store: ShapedAs<Shapes, "storeFillRates", StoreFillRates>;
      exposition: ShapedAs<Shapes, "expositionFillRate", ExpositionFillRate>;
      across: ShapedAs<Shapes, "fillRates", FillRatesResponse>;
    }
  : Rates;

type DetailOf<Shapes> = Shapes extends { protocol: Shape } | { protocolImage: Shape }
  ? ShapedAs<Shapes, "protocol", Protocol> & { images: ShapedAs<Shapes, "protocolImage", ProtocolImage>[] }
  : ProtocolDetail;
