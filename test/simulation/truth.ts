/** Records the contents of the service's lists during a walk. */
import type { Json, JsonObject } from "./scenario.ts";

/** The items of a list at one time: each key with how often it is there. */
interface Snapshot {
  readonly counts: ReadonlyMap<string, number>;
}

/** Reads the whole list at the service; undefined if the service rejects the request. */
export type ReadList = () => readonly Json[] | undefined;

const idProperties = ["storeId", "photoId", "protocolId", "id", "vehicleId"];

/** The key that distinguishes an item from the others of its list: its ID, or else its content. */
export function keyOf(item: unknown): string {
  const properties = typeof item === "object" && item !== null ? (item as JsonObject) : {};
  const name = idProperties.find(
    (property) => typeof properties[property] === "string" && properties[property] !== "",
  );
  return name === undefined ? textOf(item) : JSON.stringify(properties[name]);
}

/** The content of an item, without the signature of one response. */
function textOf(item: unknown): string {
  return JSON.stringify(item, (name, value: unknown) => (name === "signature" ? undefined : value));
}

/** Follows a list from the start of a walk to its end. */
export class Truth {
  readonly #read: ReadList;
  readonly #texts = new Set<string>();
  #minimum: Map<string, number> | undefined;
  readonly #maximum = new Map<string, number>();
  #last: Snapshot | undefined;
  /** The list gained or lost items during the walk. */
  added = false;
  removed = false;

  constructor(read: ReadList) {
    this.#read = read;
    this.update();
  }

  /** Whether the service gave the list at any time. */
  get isKnown(): boolean {
    return this.#minimum !== undefined;
  }

  /** Reads the list again after a change at the service. */
  update(): void {
    const items = this.#read();
    if (items === undefined) return;
    const counts = new Map<string, number>();
    for (const item of items) {
      const key = keyOf(item);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      this.#texts.add(textOf(item));
    }
    for (const [key, count] of counts) this.#maximum.set(key, Math.max(count, this.#maximum.get(key) ?? 0));
    if (this.#minimum === undefined) this.#minimum = new Map(counts);
    for (const [key, count] of this.#minimum) this.#minimum.set(key, Math.min(count, counts.get(key) ?? 0));
    this.#compare({ counts });
  }

  #compare(now: Snapshot): void {
    const before = this.#last;
    this.#last = now;
    if (before === undefined) return;
    this.added ||= [...now.counts.keys()].some((key) => !before.counts.has(key));
    this.removed ||= [...before.counts.keys()].some((key) => !now.counts.has(key));
  }

  /** Items that the service never had, or that came more often than it had them. */
  unexpected(delivered: readonly unknown[]): string[] {
    const counts = countKeys(delivered);
    const repeated = [...counts].filter(([key, count]) => count > (this.#maximum.get(key) ?? 0));
    return [...repeated.map(([key, count]) => `${count} times ${key}`), ...this.unknown(delivered)];
  }

  /** The number of items at the start. */
  get size(): number {
    return this.#minimum?.size ?? 0;
  }

  /** Whether an item was there all the time. */
  has(item: unknown): boolean {
    return (this.#minimum?.get(keyOf(item)) ?? 0) > 0;
  }

  /** Items that the service never had. */
  unknown(delivered: readonly unknown[]): string[] {
    return delivered.map(textOf).filter((text) => !this.#texts.has(text));
  }

  /**
   * Items that were there all the time and did not come. Where equal summaries may be one protocol, one of them is
   * enough.
   * @param first the number of items at the start of the list that need not come
   */
  missing(delivered: readonly unknown[], onceIsEnough: boolean, first = 0): string[] {
    const counts = countKeys(delivered);
    return [...(this.#minimum ?? [])]
      .slice(first)
      .filter(([key, minimum]) => (counts.get(key) ?? 0) < (onceIsEnough ? Math.min(1, minimum) : minimum))
      .map(([key]) => key);
  }
}

function countKeys(items: readonly unknown[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
