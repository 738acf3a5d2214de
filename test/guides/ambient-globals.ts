import { FleetClient, type MirrorSink, StoreClient } from "../../src/index.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";

/** A name that a block of a document uses without declaring it. */
interface AmbientGlobal {
  /** The declaration for the compiler. */
  declared: string;
  /** The value in a block that runs with a reference server. */
  real: (ref: ReferenceServer) => unknown;
}

/** The base URLs of the services in the documents. */
export const baseUrls = {
  storeUrl: "https://stores.example.com",
  fleetUrl: "https://fleet.example.com/api/third-party/v1",
  sandboxUrl: "https://sandbox.example.com/api/third-party/v1",
};

const store = (ref: ReferenceServer): StoreClient =>
  new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });

const keyOf = (ref: ReferenceServer): string => ref.keys[0]?.key ?? "";

/** Stands for the metrics of prom-client: they reject labels that they do not know. */
class RecordedMetric {
  readonly #labelNames: readonly string[];

  constructor({ labelNames }: { labelNames: string[] }) {
    this.#labelNames = labelNames;
  }

  inc(labels: object): void {
    this.observe(labels, 1);
  }

  observe(labels: object, value: number): void {
    const unknown = Object.keys(labels).find((name) => !this.#labelNames.includes(name));
    if (unknown !== undefined) throw new Error(`Unknown label ${unknown}`);
    if (!Number.isFinite(value)) throw new TypeError("Value is not a valid number");
  }
}

/** The names that blocks may use without declaring them. */
export const ambientGlobals: Readonly<Record<string, AmbientGlobal>> = {
  store: { declared: 'declare const store: import("shelfleet").StoreClient;', real: store },
  fleet: {
    declared: 'declare const fleet: import("shelfleet").FleetClient;',
    real: (ref) => new FleetClient({ baseUrl: ref.fleetUrl, key: keyOf(ref), fetch: ref.fetch }),
  },
  ref: { declared: 'declare const ref: import("shelfleet/mock").ReferenceServer;', real: (ref) => ref },
  token: { declared: "declare const token: string;", real: (ref) => ref.token },
  key: { declared: "declare const key: string;", real: keyOf },
  readToken: {
    declared: "declare function readToken(): Promise<string>;",
    real: (ref) => async () => ref.token,
  },
  readKey: {
    declared: "declare function readKey(): Promise<string>;",
    real: (ref) => async () => keyOf(ref),
  },
  save: {
    declared: "declare function save(items: readonly unknown[], resume: string | null): Promise<void>;",
    real: () => async () => {},
  },
  readPlace: {
    declared: "declare function readPlace(): Promise<string | null | undefined>;",
    real: () => async () => undefined, // before the first run
  },
  savePlace: {
    declared: "declare function savePlace(resume: string | null): Promise<void>;",
    real: () => async () => {},
  },
  handle: {
    declared: "declare function handle(items: readonly unknown[]): Promise<void>;",
    real: () => async () => {},
  },
  sink: {
    declared: 'declare const sink: import("shelfleet").MirrorSink<object, object>;',
    real: (): MirrorSink<object, object> => ({
      load: () => undefined, // before the first run
      find: () => new Map(),
      save() {},
      countUnseen: () => 0,
      remove() {},
    }),
  },
  prometheus: {
    declared: `declare const prometheus: {
      Counter: new (options: MetricOptions) => { inc(labels: Labels): void };
      Histogram: new (options: MetricOptions) => { observe(labels: Labels, value: number): void };
    };
    type Labels = Record<string, string | number>;
    interface MetricOptions { name: string; help: string; labelNames: string[]; }`,
    real: () => ({ Counter: RecordedMetric, Histogram: RecordedMetric }),
  },
  pino: {
    declared: `declare function pino(): Record<"debug" | "info" | "warn" | "error", {
      (fields: object, message?: string): void;
      (message: string): void;
    }>;`,
    real: () => () => ({ debug() {}, info() {}, warn() {}, error() {} }),
  },
  file: { declared: "declare const file: string;", real: () => ":memory:" },
  companyCertificate: { declared: "declare const companyCertificate: string;", real: () => "in PEM" },
  clientCertificate: { declared: "declare const clientCertificate: string;", real: () => "in PEM" },
  clientKey: { declared: "declare const clientKey: string;", real: () => "in PEM" },
  saved: {
    declared: "declare const saved: string;",
    real: async (ref) => (await store(ref).stores.list({ limit: 100 })).resume,
  },
};
