import * as z from "zod/mini";
import { parseInstant as parseInstantWithOffset } from "../../wire/instant.ts";
import { namesOf, tableOf } from "../../wire/names.ts";
import { parse } from "./schemas.ts";

const RFC_3339_FORM = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Whether a text is a date-time of RFC 3339. */
export function isRfc3339(text: string): boolean {
  return RFC_3339_FORM.test(text) && !Number.isNaN(parseInstant(text));
}

/**
 * Returns the instant of an ISO 8601 date or date-time in milliseconds since 1970, or `NaN`. Without an offset it
 * is UTC, in any time zone of the machine.
 */
export function parseInstant(text: string): number {
  const dateTime = text.length > 10 ? text.toUpperCase() : `${text}T00:00:00`;
  return parseInstantWithOffset(dateTime) ?? parseInstantWithOffset(`${dateTime}Z`) ?? Number.NaN;
}

const UNITS = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
} as const;

/** A time, or `"system"` for the clock of the machine. */
export type Moment = "system" | Date | (string & {});

/**
 * The duration by which to move a clock: `{ hours: 1, minutes: 30 }`, in `milliseconds`, `seconds`, `minutes`,
 * `hours`, `days` and `weeks`. Negative numbers move it back.
 */
export type Duration = { readonly [Unit in keyof typeof UNITS]?: number | undefined };

const durationSchema = z.strictObject(tableOf(namesOf(UNITS), () => z.optional(z.number())));

/**
 * The clock of a reference server. It is fixed between advances, unless the server was created with `now:
 * "system"`.
 */
export class Clock {
  readonly #start: number;
  readonly #runs: boolean;
  /** @internal The difference from the time it was created with. */
  offset = 0;

  constructor(now: Moment) {
    this.#runs = now === "system";
    this.#start = now === "system" ? Date.now() : instantOf(now);
  }

  /** The time, as a new `Date`. */
  now(): Date {
    return new Date(this.ms());
  }

  /** The time in milliseconds since 1970. */
  ms(): number {
    return (this.#runs ? Date.now() : this.#start) + this.offset;
  }

  /** The time at which the server was created; the seeded dates are in the 28 days before. */
  get start(): number {
    return this.#start;
  }

  /** Moves the clock. */
  advance(duration: Duration): void {
    const given = parse(durationSchema, duration, "clock.advance");
    const sum = namesOf(UNITS).reduce((total, unit) => total + (given[unit] ?? 0) * UNITS[unit], 0);
    this.set(new Date(this.ms() + sum));
  }

  /** Sets the clock. */
  set(now: string | Date): void {
    this.offset += instantOf(now) - this.ms();
  }
}

function instantOf(now: unknown): number {
  const ms = now instanceof Date ? now.getTime() : parseInstant(typeof now === "string" ? now : "");
  if (!Number.isNaN(ms)) return ms;
  throw new Error('now: must be a Date or an ISO 8601 string such as "2026-01-01T00:00:00Z"');
}

/** An ISO 8601 date-time. */
export const instantSchema = z
  .string()
  .check(z.refine((text) => !Number.isNaN(parseInstant(text)), "must be an ISO 8601 date-time"));

/** The timers of a server for waits and rate limits, which are separate from its clock. */
export interface Timers {
  /** Resolves after this many milliseconds; rejects with the signal's reason. */
  wait(ms: number, signal?: AbortSignal | null): Promise<void>;
  /** Milliseconds since 1970. */
  now(): number;
}

/**
 * The timers that a server uses. `"captured"`: those that exist when it is created, so that fake timers that a test
 * installs later do not stop it. `"global"`: the current ones of `globalThis`, so that it follows fake timers.
 */
export type TimersOption = "captured" | "global";

export function createTimers(option: TimersOption): Timers {
  const captured = { setTimeout, clearTimeout, Date };
  const timers = option === "global" ? globalThis : captured;
  return { now: () => timers.Date.now(), wait: (ms, signal) => wait(timers, ms, signal) };
}

function wait(
  { setTimeout, clearTimeout }: Pick<typeof globalThis, "setTimeout" | "clearTimeout">,
  ms: number,
  signal?: AbortSignal | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(abortReason(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

export function abortReason(signal: AbortSignal | null | undefined): Error {
  return signal?.reason as Error; // fetch rejects with any value
}
