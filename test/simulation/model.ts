/** The interface of both models of the simulation. */
import type { ModelResponse } from "../models/exchange.ts";

/** A request whose token the service has checked. */
export interface CheckedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** It has the current token. */
  readonly isKnown: boolean;
  /** It is a question of the simulation for the whole list, and not of a client. */
  readonly isTruth?: boolean;
  /** Its token opens operations that write. */
  readonly mayWrite: boolean;
}

export interface SimulatedModel<State> {
  handle(request: CheckedRequest): ModelResponse;
  readonly readings: Readonly<Record<string, string>>;
  readonly state: State;
  /** The number of writes that took effect. */
  readonly writes: number;
}

/** The parts of a path in the places of `{}`; undefined for another path. */
export function matchPath(pattern: string, path: string): string[] | undefined {
  const [expected, actual] = [pattern.split("/"), path.split("/")];
  if (expected.length !== actual.length) return undefined;
  if (expected.some((part, at) => part !== "{}" && part !== actual[at])) return undefined;
  return actual.filter((_, at) => expected[at] === "{}").map(decodeURIComponent);
}
