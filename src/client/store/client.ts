import type * as contract from "../../../generated/store.ts";
import { storeQueries } from "../../../generated/store.queries.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import {
  arrayOf,
  checkBaseUrl,
  functionRule,
  oneOf,
  type OptionRule,
  requireValue,
  uncheckedRule,
} from "../option-rules.ts";
import { type ClientOptions, type Optional, readClientOptions } from "../options.ts";
import { createCore, mergeOptions } from "../configuration.ts";
import type { Core } from "../core.ts";
import { checkSendable, type CredentialSource } from "../credential.ts";
import { createHttp, type Http } from "../http.ts";
import { describeObject, type Inspect, inspection } from "../inspection.ts";
import type { RangePages, TimePrecision } from "../lists/range.ts";
import type { Shape, ShapedAs } from "../shape.ts";
import { Contacts } from "./contacts.ts";
import { describeError, StoreApiError } from "./errors.ts";
import { Expectations } from "./expectations.ts";
import { Expositions } from "./expositions.ts";
import { FillRateMethods, type Rates } from "./fill-rates.ts";
import { type Photo, type PhotoPage, Photos } from "./photos.ts";
import { type Identify, Protocols, rangeOverlaps } from "./protocols.ts";
import { Stores } from "./stores.ts";
import {
  type Environment,
  processEnvironment,
  readCredential,
  readLogOptions,
  requireVariable,
} from "../environment.ts";

/**
 * Schemas for the objects that the contract leaves open, of any library that implements Standard Schema (zod, valibot,
 * arktype). The client types, validates and transforms these objects with them.
 */
export interface StoreShapes extends Partial<Record<(typeof shapeNames)[number], Shape | undefined>> {}

/** A write whose second sending the contract leaves open. */
export type RepeatableStoreWrite = "putStore" | "putExpositions";

/** The options of `StoreClient`. */
export interface StoreClientOptions<Shapes extends StoreShapes = StoreShapes> extends ClientOptions {
  /** The URL before `/v1`: https, or http to a loopback host. */
  baseUrl: string | URL;
  /** The bearer token, or a function that returns it. After a 401 the function is called again. */
  token: CredentialSource;
  /** Schemas for the objects that the contract leaves open. */
  shapes?: Shapes | undefined;
  /** The names of the photos and of the cursor in the photo list (default: `items` and `nextCursor`). */
  photoPage?: PhotoPage | undefined;
  /** How the second page of protocols is requested (default: `auto`). */
  protocolPages?: RangePages | undefined;
  /** The precision with which the service compares times (default: `second`); time ranges overlap by as much. */
  timePrecision?: TimePrecision | undefined;
  /** Returns the ID of a protocol that has neither `protocolId` nor `id`. */
  identify?: Identify | undefined;
  /**
   * Writes that this service handles in the same way if they are sent twice, so that the client may repeat them after a
   * lost response (default: none): `putStore` with another `externalId` in its body, `putExpositions`.
   */
  repeatable?: readonly RepeatableStoreWrite[] | undefined;
}

const rules = {
  baseUrl: uncheckedRule, // checked below
  token: uncheckedRule,
  photoPage: [
    "{ items, cursor }, the names of two properties",
    (value) => isObject(value) && [value["items"], value["cursor"]].every((name) => typeof name === "string"),
  ],
  protocolPages: oneOf("auto", "window"),
  timePrecision: oneOf(...Object.keys(rangeOverlaps)),
  identify: functionRule,
  repeatable: arrayOf("putStore", "putExpositions"),
} satisfies Record<Exclude<keyof StoreClientOptions, keyof ClientOptions | "shapes">, OptionRule>;

const shapeNames = [
  "protocol",
  "protocolImage",
  "photo",
  "storeFillRates",
  "expositionFillRate",
  "fillRates",
] as const;

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
  readonly protocols: Protocols<ShapedAs<Shapes, "protocol", contract.Protocol>, DetailOf<Shapes>>;
  readonly photos: Photos<ShapedAs<Shapes, "photo", Photo>>;
  readonly fillRates: FillRateMethods<Rates<Shapes>>;
  /**
   * The typed methods of openapi-fetch, for a request as the contract describes it. They send and fail as the methods of
   * the client do, and return `{ data, response }` as the service sent it.
   * @example const { data, response } = await store.http.GET("/v1/stores", { params: { query: { limit: 5 } } });
   */
  readonly http: Http<contract.paths>;
  /** The base URL without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Creates a client with other options over the same connections. A given option replaces the client's own; an omitted
   * or undefined one is kept. Both share `maxConcurrency` unless it is given, and what a 429 says.
   */
  readonly withOptions = <const Changed extends StoreShapes = Shapes>(
    changes: Optional<StoreClientOptions<Changed>>,
  ): StoreClient<Changed> => {
    // the shapes are the given ones or those of this client, as the type states
    const own = this.#options as object as StoreClientOptions<Changed>;
    return create(mergeOptions(own, readClientOptions(changes, rules, shapeNames), this.#core));
  };
  /**
   * Ends the client: sends no further request, ends the waits for retries and the limiter, and resolves when the requests in
   * flight have ended. Calls that are not finished then reject with an `AbortError`. Also drains the clients of
   * `withOptions`, and the client that this one is from.
   * @example process.once("SIGTERM", () => client.drain());
   */
  readonly drain = (): Promise<void> => this.#core.shared.drain();
  readonly #core: Core;
  readonly #options: StoreClientOptions;

  /** @throws {ConfigurationError} for a wrong option */
  constructor(given: StoreClientOptions<Shapes>) {
    const options = readClientOptions(given, rules, shapeNames);
    const core = configure(options);
    const http = createHttp<contract.paths>(core);
    const { photoPage, identify, protocolPages: pages = "auto", timePrecision = "second" } = options;
    const shapes = (options.shapes ?? {}) as { [Name in keyof StoreShapes]: Shape<never> }; // their outputs are the types above
    this.#core = core;
    this.#options = options;
    this.http = http;
    this.baseUrl = core.baseUrl as string; // every store client has one
    this.stores = new Stores(core, http);
    this.contacts = new Contacts(http);
    this.expectations = new Expectations(http);
    this.expositions = new Expositions(http);
    this.protocols = new Protocols(core, http, {
      shapes,
      identify,
      pages,
      overlap: rangeOverlaps[timePrecision],
    });
    this.photos = new Photos(core, http, photoPage, shapes.photo);
    this.fillRates = new FillRateMethods(http, shapes);
  }

  /** What `console.log` shows. @internal */
  [inspection](_: number, options?: unknown, inspect?: Inspect): string {
    const { baseUrl, http: _http, withOptions: _with, drain: _drain, ...resources } = this;
    return describeObject("StoreClient", { baseUrl, resources: Object.keys(resources) }, inspect, options);
  }
}

// outside of the class: a bundler renames a class that contains its own name
function create<Shapes extends StoreShapes>(options: StoreClientOptions<Shapes>): StoreClient<Shapes> {
  return new StoreClient(options);
}

/** Validates the base URL of a client or of an environment variable. Contract: store, first paragraph. */
export function checkStoreUrl(name: string, given: unknown, { allowInsecure }: ClientOptions): string {
  const url = checkBaseUrl(name, given, allowInsecure);
  requireValue(
    `${name} must not end in /v1, which every path has. Write ${url.slice(0, -3)}`,
    !url.endsWith("/v1"),
  );
  return url;
}

function configure(options: StoreClientOptions): Core {
  const baseUrl = checkStoreUrl("baseUrl", options.baseUrl, options);
  const { repeatable = [] } = options;
  return createCore(options, {
    baseUrl,
    baseUrlOf: () => baseUrl,
    operations: storeOperations,
    credential: options.token,
    checkCredential: (token) => checkSendable("token", token),
    mayRepeat: mayRepeat.bind(undefined, repeatable),
    parameterNames: {},
    describeError,
    apiError: (_, details) => new StoreApiError(details),
    queries: storeQueries,
    loadCheck: () => import("./contract-check.ts"),
  });
}

/** Whether a PUT has the same effect if it is sent twice. */
function mayRepeat(
  repeatable: readonly RepeatableStoreWrite[],
  id: string,
  path: JsonObject,
  body: unknown,
): boolean {
  // an external ID in the body may rename the store (gap stores.body-external-id)
  if (id === "putStore") {
    const renamed = isObject(body) ? body["externalId"] : undefined;
    return renamed === undefined || path["externalId"] === renamed || repeatable.includes(id);
  }
  // a service may add the same element twice (gap expositions.matching)
  return id !== "putExpositions" || repeatable.includes(id);
}

type DetailOf<Shapes> = Shapes extends { protocol: Shape } | { protocolImage: Shape }
  ? ShapedAs<Shapes, "protocol", contract.Protocol> & {
      images: ShapedAs<Shapes, "protocolImage", contract.ProtocolImage>[];
    }
  : contract.ProtocolDetail;

/**
 * Creates a client from environment variables: `SHELFLEET_STORE_URL`, `SHELFLEET_TOKEN`, and `SHELFLEET_LOG` for a
 * console log from that level. `SHELFLEET_TOKEN_FILE` names a file with the token, which is read again after a 401.
 * @param options additional options, which have precedence over the variables
 * @param env the variables, instead of those of the process
 * @throws {ConfigurationError} if a variable is missing or wrong
 * @example const store = storeFromEnv();
 */
export function storeFromEnv<const Shapes extends StoreShapes = object>(
  options: Optional<StoreClientOptions<Shapes>> = {},
  env: Environment = processEnvironment(),
): StoreClient<Shapes> {
  const given = readClientOptions(options, rules, shapeNames);
  const { baseUrl, token } = given;
  return new StoreClient<Shapes>({
    ...(given.log === undefined ? readLogOptions(env) : {}),
    ...given,
    baseUrl:
      baseUrl ?? checkStoreUrl("SHELFLEET_STORE_URL", requireVariable(env, "SHELFLEET_STORE_URL"), given),
    token: token ?? readCredential(env, "SHELFLEET_TOKEN", "token"),
  });
}
