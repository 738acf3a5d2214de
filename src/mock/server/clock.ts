import { isObject } from "../../wire/json.ts";
import { parseInstant } from "../../wire/instants.ts";

/** The times that RFC 3339 can represent: the years 0000 to 9999. */
const EARLIEST = parseInstant("0000-01-01T00:00:00Z");
const LATEST = parseInstant("9999-12-31T23:59:59.999Z");

const UNITS = {
  milliseconds: 1,
  seconds: 1000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
  weeks: 604_800_000,
} as const;

const LENGTHS: ReadonlyMap<string, number> = new Map(Object.entries(UNITS));

/** A time, or `"system"` for the clock of the machine. */
export type Moment = "system" | Date | (string & {});

/**
 * The duration by which to move a clock: `{ hours: 1, minutes: 30 }`, in `milliseconds`, `seconds`, `minutes`,
 * `hours`, `days` and `weeks`. Negative numbers move it back.
 */
export type Duration = { readonly [Unit in keyof typeof UNITS]?: number };

/**
 * The clock of a reference server. It is fixed between advances, unless the server was created with `now:
 * "system"`.
 */
export class Clock {
  readonly #start: number;
  readonly #runs: boolean;
  #offset = 0;

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
    return (this.#runs ? Date.now() : this.#start) + this.#offset;
  }

  /** The time at which the server was created; the seeded dates are in the 28 days before. */
  get start(): number {
    return this.#start;
  }

  /** Moves the clock. */
  advance(duration: Duration): void {
    if (!isObject(duration)) throw new Error("clock.advance: must be an object such as { hours: 1 }");
    let sum = 0;
    for (const [unit, amount] of Object.entries(duration)) {
      const length = LENGTHS.get(unit);
      if (length === undefined) {
        throw new Error(
          `clock.advance: unknown unit "${unit}". Expected one of ${Object.keys(UNITS).join(", ")}`,
        );
      }
      if (!Number.isFinite(amount)) throw new Error(`clock.advance: ${unit} must be a finite number`);
      sum += amount * length;
    }
    assertInstant(this.ms() + sum, "clock.advance");
    this.#offset += sum;
  }

  /** Sets the clock. */
  set(now: string | Date): void {
    this.#offset += instantOf(now) - this.ms();
  }

  /** @internal The difference from the time it was created with. */
  get offset(): number {
    return this.#offset;
  }

  /** @internal */
  set offset(offset: number) {
    this.#offset = offset;
  }
}

function instantOf(now: string | Date): number {
  const text = typeof now === "string" ? now : "";
  return assertInstant(now instanceof Date ? now.getTime() : parseInstant(text), "now");
}

function assertInstant(ms: number, name: string): number {
  if (!(ms >= EARLIEST && ms <= LATEST)) {
    throw new Error(`${name}: must be a Date or an ISO 8601 string such as "2026-01-01T00:00:00Z"`);
  }
  return ms;
}
