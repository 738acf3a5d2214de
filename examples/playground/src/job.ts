import type { FleetClient, StoreClient } from "shelfleet";
import type { ReferenceServer } from "shelfleet/mock";

/** The clients that a job uses. */
export interface Clients {
  store: StoreClient;
  fleet: FleetClient;
}

/** What a run has done, for its table. */
export interface Outcome {
  summary: string;
  rows: Record<string, string>[];
}

/** A job of the page. */
export interface Job {
  title: string;
  about: string;
  /** The text that can be edited before a run. */
  input?: string;
  /** Whether "lose the next response" means that of the next write. */
  writes: boolean;
  run(clients: Clients, input: string): Promise<Outcome>;
  /** What somebody else does on the service. */
  change: { label: string; apply(ref: ReferenceServer): void };
}
