/** A way of using the package. */
export type Way = "network" | "mock" | "msw" | "msw2" | "serve" | "node" | "require";

/** What went wrong with each way that was tried; null where nothing did. */
export type Outcomes = Partial<Record<Way, string | null>>;

/** The addresses of the reference server that every runtime reaches over HTTP. */
export interface BaseUrls {
  storeUrl: string;
  fleetUrl: string;
}

/** What the walks of one runtime are given. */
export interface WalkInput {
  /** The project in which the packed tarball is installed, and one version of msw. */
  project: string;
  baseUrls: BaseUrls;
}

/** One runtime of the table. */
export interface Runtime {
  name: string;
  /** Told by the runtime itself, or by the lock file; rejects where it is missing. */
  version: () => Promise<string>;
  /** Whether the version stands in the table: not where the machine's own is taken. */
  locked: boolean;
  ways: Way[];
  /** The ways that are known not to work; README says why. */
  limits: Way[];
  walk: (input: WalkInput) => Promise<Outcomes>;
}
