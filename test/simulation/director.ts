/** Decides what a history leaves open. A scenario decides everything; an exploration decides when it is asked. */
import type { Change, Fault, Scenario } from "./scenario.ts";
import type { Tampering } from "./tamper.ts";

/** A request, before it is sent. */
export interface DirectedRequest {
  readonly number: number;
  readonly method: string;
  readonly url: string;
  /** The client was given a whole page of the same list before. */
  readonly mayRepeat: boolean;
}

export interface Director {
  /** The reading that the service plays, when it needs it for the first time. */
  reading(gap: string, planned: string): string;
  /** The fault of a request. */
  fault(request: DirectedRequest): Fault | undefined;
  /** The change at the service before the request with this number arrives. */
  change(number: number): Change | undefined;
  /** The change of a resume token or a state; undefined where it stays as it is. */
  tampering(text: string): Tampering | undefined;
  /** A response is on its way, and the client has not read it yet. */
  respond?(): void;
  /** The history has come to a state that another history has continued. */
  readonly isPruned?: boolean;
  /** Gives the director the world that it decides about. */
  attach?(world: DirectedWorld): void;
}

/** The part of the world that a director sees. */
export interface DirectedWorld {
  readonly service: {
    readonly writers: readonly string[];
    readonly state: object;
    readonly readings: Readonly<Record<string, string>>;
    placeOf(change: Exclude<Change, { kind: "revoke" }>, next: URL): object | undefined;
  };
  readonly observer: {
    readonly remembered: readonly string[];
  };
}

export function follow({ faults, changes, tampering }: Scenario): Director {
  return {
    reading: (_, planned) => planned,
    fault: ({ number }) => faults[number],
    change: (number) => changes[number],
    tampering: () => tampering,
  };
}
