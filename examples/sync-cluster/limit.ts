import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Limiter } from "../../src/index.ts";

/**
 * Gives the next slot, in ms from now. KEYS: pause, slot. ARGV: ms between two requests; 1 where a slot was waited for.
 * A pause that began while somebody waited makes them wait anew. After a pause requests come one by one.
 */
const turnScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local pause = tonumber(redis.call('GET', KEYS[1]) or 0)
local interval = tonumber(ARGV[1])
if pause <= now and (interval == 0 or ARGV[2] == '1') then return 0 end
if pause > now then interval = math.max(interval, 5) end
local slot = math.max(now, pause, tonumber(redis.call('GET', KEYS[2]) or 0))
redis.call('SET', KEYS[2], string.format('%.3f', slot + interval), 'PX', math.ceil(slot - now + interval) + 1000)
return math.ceil(slot - now)`;

/**
 * Begins a pause. KEYS: pause, refusals. ARGV: ms, or -1 where the server did not say: then one second, doubling.
 * Answers to what was sent before the pause do not make it longer, unless they name a later end.
 */
const refusedScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local held = tonumber(redis.call('GET', KEYS[1]) or 0)
local wait = tonumber(ARGV[1])
if wait < 0 then
  if held > now then return 0 end
  wait = math.min(30000, 500 * 2 ^ redis.call('INCR', KEYS[2]))
  redis.call('PEXPIRE', KEYS[2], 120000)
end
if now + wait > held then
  redis.call('SET', KEYS[1], string.format('%.3f', now + wait), 'PX', math.ceil(wait) + 1000)
end
return math.ceil(wait)`;

/** A service that answered nobody for this long is down, until it has been so for `patience`. Both in ms. */
const silence = 10_000;
const patience = 15 * 60_000;
/** One store alone is not the service. */
const leastStores = 3;

type Scripted = Redis & {
  turn(pause: string, slot: string, interval: number, waited: number): Promise<number>;
  refused(pause: string, refusals: string, wait: number): Promise<number>;
};

/** One rate, one pause and one view of the service's health for all workers, kept in Redis. */
export class FleetLimit implements Limiter {
  readonly #redis: Scripted;
  readonly #interval: number;
  readonly #silence: number;
  readonly #keys: Record<"pause" | "slot" | "refusals" | "success" | "failing", string>;
  #nextSuccess = 0;

  constructor(redis: Redis, prefix: string, rate: number, quiet = silence) {
    redis.defineCommand("turn", { numberOfKeys: 2, lua: turnScript });
    redis.defineCommand("refused", { numberOfKeys: 2, lua: refusedScript });
    this.#redis = redis as Scripted; // defined above
    this.#silence = quiet;
    this.#interval = rate === 0 ? 0 : 1000 / rate;
    const key = (name: string): string => `${prefix}:limit:${name}`;
    this.#keys = {
      pause: key("pause"),
      slot: key("slot"),
      refusals: key("refusals"),
      success: key("success"),
      failing: key("failing"),
    };
  }

  /** Before each request of any worker. */
  readonly turn = async (_operation: string, signal: AbortSignal): Promise<void> => {
    const { pause: held, slot } = this.#keys;
    let waited = 0;
    for (;;) {
      signal.throwIfAborted();
      const wait = await this.#redis.turn(held, slot, this.#interval, waited);
      if (wait <= 0) return;
      await pause(wait, undefined, { signal });
      waited = 1;
    }
  };

  /** After a refusal that any worker met: all wait, as long as the server said. */
  readonly refused = async (retryAfter?: number): Promise<void> => {
    await this.#redis.refused(this.#keys.pause, this.#keys.refusals, retryAfter ?? -1);
  };

  /** What was known of the service before a start is of no use. */
  async forget(): Promise<void> {
    const { success, refusals, failing } = this.#keys;
    await this.#redis.del(success, refusals, failing);
  }

  /** The service answered; written once a second at most. */
  async succeeded(): Promise<void> {
    if (Date.now() < this.#nextSuccess) return;
    this.#nextSuccess = Date.now() + 1_000;
    const { success, refusals, failing } = this.#keys;
    await this.#redis.multi().set(success, Date.now()).del(refusals, failing).exec();
  }

  /** Whether a failure is the service's rather than the store's: nobody has had an answer for a while. */
  async isOutage(externalId: string): Promise<boolean> {
    const { success, failing } = this.#keys;
    await this.#redis
      .multi()
      .sadd(failing, externalId)
      .pexpire(failing, 2 * patience)
      .set(success, Date.now(), "NX")
      .exec();
    const [last, stores] = await Promise.all([this.#redis.get(success), this.#redis.scard(failing)]);
    const since = Date.now() - Number(last);
    return stores >= leastStores && since > this.#silence && since < patience;
  }

  /** How long all are still to wait, in ms. */
  async paused(): Promise<number> {
    return Math.max(0, Number(await this.#redis.get(this.#keys.pause)) - Date.now());
  }
}
