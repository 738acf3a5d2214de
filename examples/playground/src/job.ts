import type { Service } from "./service.ts";

/** What a run has done, for its table. */
export interface Outcome {
  summary: string;
  rows: Record<string, string>[];
  /** What the program has in the end: the IDs of its copies, or of what it wrote. */
  ids: string[];
}

/** A program: it keeps what it has between two runs. */
export type Program = (input: string) => Promise<Outcome>;

/** Why a request or a note is in the timeline: the first pattern that fits. */
export type Reasons = readonly (readonly [line: RegExp, why: string])[];

/** One side of the page: a program with its code, and the reasons of its timeline. */
export interface Side {
  start(service: Service): Program;
  reasons: Reasons;
}

/** A job of the page, as shelfleet does it and as a loop around `fetch` does. */
export interface Job {
  title: string;
  about: string;
  /** The text that can be edited before a run. */
  input?: string;
  /** Whether "lose the next response" means that of the next write. */
  writes: boolean;
  /** Returns the IDs that a program should have in the end. */
  expect(service: Service, input: string): string[];
  /** What somebody else does on the service. */
  change: { label: string; apply(service: Service): void };
}
