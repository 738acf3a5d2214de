import type { Client } from "openapi-fetch";
import { storeClientReadings, storeClientStrategies } from "../../generated/readings.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import type {
  ExpositionFillRate,
  FillRates as FillRatesAnswer,
  paths,
  Protocol,
  ProtocolDetail,
  ProtocolImage,
  StoreFillRates,
} from "../../generated/store.ts";
import { checkChoices } from "../core/choice.ts";
import { ConfigurationError } from "../core/errors.ts";
import { checkHeaders } from "../core/headers.ts";
import { Http } from "../core/http.ts";
import type { ShapedAs } from "../core/http-types.ts";
import { isObject } from "../core/json.ts";
import { check, checkClientOptions } from "../core/option-checks.ts";
import { type ClientOptions, resolveLimits } from "../core/options.ts";
import type { NextPageStrategy } from "../core/pagination/range-source.ts";
import { makeRaw } from "../core/raw.ts";
import { checkSendable, Secret, type SecretSource } from "../core/secret.ts";
import type { Shape } from "../core/shape.ts";
import { Transport } from "../core/transport.ts";
import { checkBaseUrl } from "../core/url.ts";
import { Contacts } from "./contacts.ts";
import { isNotConfigured, storeDialect } from "./dialect.ts";
import { Expectations } from "./expectations.ts";
import { Expositions, retryClassOf } from "./expositions.ts";
import { FillRates, type Rates } from "./fill-rates.ts";
import { type Photo, type PhotoPageShape, Photos } from "./photos.ts";
import { type Identify, Protocols } from "./protocols.ts";
import { Stores } from "./stores.ts";

/** Schemas for what the contract leaves open, of any library that follows Standard Schema. */
export interface StoreShapes {
  protocol?: Shape | undefined;
  protocolImage?: Shape | undefined;
  photo?: Shape | undefined;
  storeFillRates?: Shape | undefined;
  expositionFillRate?: Shape | undefined;
  fillRates?: Shape | undefined;
}

/** What the service means where the contract does not say; see `shelfleet/gaps`. */
export interface StoreReadings {
  /** Under which names the photo list carries its photos and its cursor (`items-nextCursor`). */
  "photos.page-shape"?: PhotoPageShape | undefined;
}

/** What the client does where it has a choice; see `shelfleet/gaps`. */
export interface StoreStrategies {
  /** How the second page of protocols is asked for (`auto`). */
  "protocols.next-page"?: NextPageStrategy | undefined;
}

/** What `new StoreClient` takes. */
export interface StoreClientOptions<Shapes extends StoreShapes = StoreShapes> extends ClientOptions {
  /** The address before `/v1`. https, or http to a loopback host. */
  baseUrl: string;
  /** The bearer token, or a function that gives it; after a 401 the function is asked once more. */
  token: SecretSource;
  readings?: StoreReadings | undefined;
  strategies?: StoreStrategies | undefined;
  shapes?: Shapes | undefined;
  /** Tells protocols apart where they carry neither `protocolId` nor `id`. */
  identify?: Identify | undefined;
}

const own = {
  options: ["baseUrl", "token", "strategies", "identify"],
  shapes: [
    "protocol",
    "protocolImage",
    "photo",
    "storeFillRates",
    "expositionFillRate",
    "fillRates",
  ] satisfies (keyof StoreShapes)[],
};

/** A client of the store integration API: stores, contacts, expectations, expositions, protocols, photos, fill rates. */
export class StoreClient<const Shapes extends StoreShapes = object> {
  readonly stores: Stores;
  readonly contacts: Contacts;
  readonly expectations: Expectations;
  readonly expositions: Expositions;
  readonly protocols: Protocols<ShapedAs<Shapes, "protocol", Protocol>, DetailOf<Shapes>>;
  readonly photos: Photos<ShapedAs<Shapes, "photo", Photo>>;
  readonly fillRates: FillRates<RatesOf<Shapes>>;
  /** The openapi-fetch client over the same transport, for anything that the methods do not offer. */
  readonly raw: Client<paths, "application/json">;

  /** @throws {ConfigurationError} for a wrong option */
  constructor(options: StoreClientOptions<Shapes>) {
    if (!isObject(options)) throw new ConfigurationError("StoreClient needs { baseUrl, token }");
    checkClientOptions(options, own);
    check("identify must be a function", options.identify, (value) => typeof value === "function");
    const baseUrl = checkBaseUrl("baseUrl", options.baseUrl, options.allowInsecure === true);
    const { "photos.page-shape": photoPage } = checkChoices(
      "readings",
      storeClientReadings,
      options.readings,
    );
    const { "protocols.next-page": strategy } = checkChoices(
      "strategies",
      storeClientStrategies,
      options.strategies,
    );
    const transport = new Transport({
      secret: new Secret(options.token, (token) => checkSendable("token", token)),
      baseUrl: () => baseUrl,
      fetch: options.fetch,
      headers: { accept: "application/json", ...checkHeaders(options.headers) },
      hooks: options.hooks ?? {},
      limiter: options.limiter,
      isPermanent: isNotConfigured,
    });
    const http = new Http<paths>({
      transport,
      limits: resolveLimits(options),
      dialect: storeDialect,
      operations: storeOperations,
      retryClassOf,
      validate: options.validate ?? "envelope",
      loadSchemas,
    });
    // the classes below hand on what the shapes put out; their type parameters say what that is
    const { protocol, protocolImage: image, photo, ...fillRates } = (options.shapes ?? {}) as StoreShapes;
    this.stores = new Stores(http);
    this.contacts = new Contacts(http);
    this.expectations = new Expectations(http);
    this.expositions = new Expositions(http);
    this.protocols = new Protocols(http, {
      protocol: protocol as Shape<ShapedAs<Shapes, "protocol", Protocol>> | undefined,
      image,
      identify: options.identify,
      strategy,
    });
    this.photos = new Photos(http, photo as Shape<ShapedAs<Shapes, "photo", Photo>> | undefined, photoPage);
    this.fillRates = new FillRates(http, fillRates);
    this.raw = makeRaw(http);
  }
}

type RatesOf<Shapes> = Shapes extends
  | { storeFillRates: Shape }
  | { expositionFillRate: Shape }
  | { fillRates: Shape }
  ? {
      store: ShapedAs<Shapes, "storeFillRates", StoreFillRates>;
      exposition: ShapedAs<Shapes, "expositionFillRate", ExpositionFillRate>;
      across: ShapedAs<Shapes, "fillRates", FillRatesAnswer>;
    }
  : Rates;

type DetailOf<Shapes> = Shapes extends { protocol: Shape } | { protocolImage: Shape }
  ? ShapedAs<Shapes, "protocol", Protocol> & { images: ShapedAs<Shapes, "protocolImage", ProtocolImage>[] }
  : ProtocolDetail;

async function loadSchemas() {
  const [{ checkWith }, schemas] = await Promise.all([
    import("../core/schema-check.ts"),
    import("../../generated/store.schemas.ts"),
  ]);
  return checkWith(schemas);
}
