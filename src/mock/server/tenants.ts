import type { ApiDefinition, HandlerInput } from "./api.ts";
import { transmittedText } from "../http/body.ts";
import type { Endpoint, Location } from "./endpoint.ts";
import { bearerToken } from "../../wire/credentials.ts";
import type { CoreRequest, CoreResponse } from "../http/request.ts";
import { handleRequest } from "./request-handling.ts";
import { type Collection, IdSequence, type Tenant } from "./tenant.ts";
import { Clock, type Moment } from "./clock.ts";
import { Journal, type JournalLimits } from "../testing/journal.ts";
import type { OperationModel } from "../testing/operation-model.ts";
import { Overrides } from "../testing/overrides.ts";
import { RateLimiter, type RateLimits } from "./rate-limiter.ts";
import type { ResponseChange } from "../testing/rule.ts";
import type { MockReadings } from "./readings.ts";
import { holdSecret, redactorOf } from "../http/redaction.ts";
import { createTimers, type Timers, type TimersOption } from "./timers.ts";

interface ApiMount<State> {
  /** The name of the base, such as `store`. */
  readonly base: string;
  /** The base URL, without a slash at its end. */
  readonly url: string;
  handle(tenant: Tenant<State>, request: CoreRequest): CoreResponse;
}

export function mountApi<State, Context extends HandlerInput>(
  base: string,
  url: string,
  api: ApiDefinition<State, Context>,
): ApiMount<State> {
  return { base, url, handle: (tenant, request) => handleRequest(api, tenant, request) };
}

/** Routes each request to an API, by its base, and to a tenant, by its secret. */
class TenantRouter<State> implements Endpoint {
  readonly #mounts: ReadonlyMap<string, ApiMount<State>>;
  readonly #longestFirst: readonly ApiMount<State>[];
  readonly #bySecret = new Map<string, Tenant<State>>();
  #root: Tenant<State> | undefined;

  constructor(mounts: readonly ApiMount<State>[]) {
    this.#mounts = new Map(mounts.map((mount) => [mount.base, mount]));
    // One base may be below another: the longest match is used.
    this.#longestFirst = mounts.toSorted((a, b) => b.url.length - a.url.length);
  }

  /** Adds a tenant with its secrets; requests with an unknown secret go to the first tenant. */
  add(tenant: Tenant<State>, secrets: Iterable<string>): void {
    this.#root ??= tenant;
    for (const secret of secrets) this.#bySecret.set(secret, tenant);
  }

  /** Returns the tenant that has a secret. */
  ownerOf(secret: string): Tenant<State> | undefined {
    return this.#bySecret.get(secret);
  }

  /** Splits an absolute URL into base and target; returns `undefined` for a URL outside the bases. */
  locate(url: string): Location | undefined {
    for (const { base, url: prefix } of this.#longestFirst) {
      if (!url.startsWith(prefix)) continue;
      const target = url.slice(prefix.length);
      if (target === "" || /^[/?#]/.test(target)) return { base, target };
    }
    return undefined;
  }

  /** Returns the response of the tenant whose secret the request carries. */
  handle(request: CoreRequest): CoreResponse {
    const secret = bearerToken(request.authorization);
    const tenant = (secret === undefined ? undefined : this.#bySecret.get(secret)) ?? this.#root;
    const mount = this.#mounts.get(request.base);
    if (tenant === undefined) throw new Error("The router has no tenant");
    if (mount === undefined) {
      throw new Error(
        `Unknown base "${request.base}". Expected one of ${[...this.#mounts.keys()].join(", ")}`,
      );
    }
    const { body } = request;
    return mount.handle(tenant, body === undefined ? request : { ...request, body: transmittedText(body) });
  }
}

/** The initial values of a tenant, except its data. */
interface TenantStart {
  /** The time of its clock, if it differs from the server's. */
  readonly now?: Moment | undefined;
  /** The number of IDs that were generated before. */
  readonly generatedIds: number;
  /** Whether the data are not those that the server was created with. */
  readonly isReplaced: boolean;
}

/** Creates and resets the state of tenants. The kernel knows nothing else about the state. */
export interface StateModel<State> {
  /** Creates an empty state; `index` is 0 for the server itself and counts its tenants. */
  create(index: number, readings: MockReadings): State;
  /** Returns the initial values of a tenant with this state. */
  start(state: State): TenantStart;
  /** Fills a state with its seed, and undoes every change of data; `now` is when the server was created. */
  seed(state: State, now: number, readings: MockReadings): void;
  /** Undoes every change of tokens and keys. */
  restoreCredentials(state: State): void;
  /** The tokens and keys that identify the tenant. */
  secrets(state: State): string[];
  /** The parts that snapshots copy, by name. */
  collections(state: State): ReadonlyMap<string, Collection>;
}

/** The values that all tenants share. */
interface RegistryOptions<State> {
  readonly seed: number;
  readonly now: Moment;
  readonly readings: MockReadings;
  readonly isStrict: boolean;
  readonly limits: RateLimits;
  readonly change: ResponseChange | undefined;
  readonly timers: TimersOption | undefined;
  readonly journal: JournalLimits;
  readonly mounts: readonly ApiMount<State>[];
  readonly operations: OperationModel;
  readonly model: StateModel<State>;
}

/** Creates and resets the server and its tenants. */
export class TenantRegistry<State> {
  readonly router: TenantRouter<State>;
  readonly timers: Timers;
  readonly #options: RegistryOptions<State>;
  /** The server itself, then its tenants in the order of their creation. */
  readonly tenants: Tenant<State>[] = [];

  constructor(options: RegistryOptions<State>) {
    this.router = new TenantRouter(options.mounts);
    this.timers = createTimers(options.timers);
    this.#options = options;
  }

  /** Creates the server itself the first time, then one tenant at a time. */
  createTenant(): Tenant<State> {
    const { seed, now, journal, operations, model } = this.#options;
    const readings = { ...this.#options.readings };
    const state = model.create(this.tenants.length, readings);
    const secrets = model.secrets(state);
    const redactor = redactorOf(secrets);
    const start = model.start(state);
    const clock = new Clock(start.now ?? now);
    const tenant: Tenant<State> = {
      readings,
      isStrict: this.#options.isStrict,
      clock,
      ids: new IdSequence(seed, start.generatedIds),
      overrides: new Overrides({ seed, model: operations, redactor }),
      journal: new Journal({ ...journal, model: operations, redactor }),
      change: this.#options.change,
      written: new Set(),
      limiter: new RateLimiter(this.#options.limits, clock, this.timers),
      secrets: new Set(secrets),
      redactor,
      state,
      collections: model.collections(state),
    };
    model.restoreCredentials(state);
    model.seed(state, tenant.clock.start, readings);
    this.router.add(tenant, secrets);
    this.tenants.push(tenant);
    return tenant;
  }

  /** Makes requests with a secret reach a tenant; returns whether no other tenant has it. */
  addSecret(tenant: Tenant<State>, secret: string): boolean {
    const owner = this.router.ownerOf(secret);
    if (owner !== undefined && owner !== tenant) return false;
    this.router.add(tenant, [secret]);
    tenant.secrets.add(secret);
    holdSecret(tenant.redactor, secret);
    return true;
  }

  reset(tenant: Tenant<State>): void {
    tenant.clock.offset = 0;
    tenant.overrides.clear();
    tenant.journal.clear();
    tenant.limiter.reset();
    tenant.readings = { ...this.#options.readings };
    this.#options.model.restoreCredentials(tenant.state);
    this.reseed(tenant);
  }

  /** Fills a tenant with its seed, and sets its clock if the seed has a time; everything else stays. */
  reseed(tenant: Tenant<State>): void {
    const { model } = this.#options;
    const { now, generatedIds, isReplaced } = model.start(tenant.state);
    tenant.written = new Set(isReplaced ? this.#options.mounts.map(({ base }) => base) : []);
    if (now !== undefined && now !== "system") tenant.clock.set(now);
    tenant.ids.count = generatedIds;
    model.seed(tenant.state, tenant.clock.start, tenant.readings);
  }
}
