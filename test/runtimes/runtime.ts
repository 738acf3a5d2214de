/** A way of using the package. */
export type Way = "network" | "write" | "mock" | "msw" | "msw2" | "serve" | "node" | "require";

/** The error of each way that was tried, or null. */
export type Outcomes = Partial<Record<Way, string | null>>;

/** The URLs of the reference server that every runtime calls over HTTP. */
export interface BaseUrls {
  storeUrl: string;
  fleetUrl: string;
}

/** The arguments for the walks of one runtime. */
export interface WalkInput {
  /** The project in which the packed tarball is installed, and one version of msw. */
  project: string;
  baseUrls: BaseUrls;
}

/** One runtime of the table. */
export interface Runtime {
  name: string;
  /** Returns the version, from the runtime or the lock file. Rejects if the runtime is missing. */
  version: () => Promise<string>;
  /** Whether the table contains the version: not if it is a program of the machine. */
  locked: boolean;
  ways: Way[];
  /** The ways that are known not to work. docs/runtimes.md gives the reasons. */
  limits: Way[];
  walk: (input: WalkInput) => Promise<Outcomes>;
}
