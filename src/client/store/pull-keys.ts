import { hashItem } from "../core/pagination/content-hash.ts";
import { keyOf } from "../core/pagination/guard.ts";
import type { JsonObject } from "../../wire/json.ts";

/** The functions and properties that tell items and their changes apart. All read the item as the service sent it. */
export interface ItemIdentity {
  /** The properties that may hold the ID of an item. */
  idProperties: readonly string[];
  identify: ((item: JsonObject) => string) | undefined;
  /** Returns the part of an item that counts as its content. */
  fingerprint: ((item: JsonObject) => unknown) | undefined;
}

/** The parts of an item that a pull remembers. */
export interface ItemKey {
  /** The hash of the ID; of the content if the item has no ID. */
  id: number;
  /** The hash of the content. */
  content: number;
  hasId: boolean;
}

export function readKey(item: unknown, identity: ItemIdentity): ItemKey {
  const { idProperties, identify, fingerprint } = identity;
  const content = hashItem(item, fingerprint);
  const id = keyOf(item, { properties: idProperties, identify });
  return { id: id ?? content, content, hasId: id !== undefined };
}

const width = 11; // digits of a hash in base 36
const entryForm = new RegExp(`^(?:[0-9a-z]{${2 * width}})*$`);

/** The content of items by their IDs, and the text that stores them: it only grows, so that a page costs its items. */
export class KeyLog {
  readonly #contents = new Map<number, number>();
  #text: string;

  constructor(text = "") {
    this.#text = text;
    for (const [id, content] of readEntries(text)) this.#contents.set(id, content);
  }

  get text(): string {
    return this.#text;
  }

  has(id: number): boolean {
    return this.#contents.has(id);
  }

  get(id: number): number | undefined {
    return this.#contents.get(id);
  }

  set(id: number, content: number): void {
    if (this.#contents.get(id) === content) return;
    this.#contents.set(id, content);
    this.#text += writeEntry(id, content);
  }

  /** Returns a text of a log without the items of this one. */
  removeFrom(text: string): string {
    return readEntries(text)
      .filter(([id]) => !this.#contents.has(id))
      .map(([id, content]) => writeEntry(id, content))
      .join("");
  }
}

/** Whether a value from a state is the text of a `KeyLog`. */
export function isKeyText(value: unknown): value is string {
  if (typeof value !== "string" || !entryForm.test(value)) return false;
  return readEntries(value).every((entry) => entry.every(Number.isSafeInteger));
}

/** Returns the last entries of a text. */
export function lastEntries(text: string, count: number): string {
  return text.slice(Math.max(0, text.length - count * 2 * width));
}

/** Whether a text of `lastEntries` has as many entries as it may have: there may have been others before. */
export function isFull(text: string, count: number): boolean {
  return text.length >= count * 2 * width;
}

function readEntries(text: string): [id: number, content: number][] {
  return Array.from({ length: text.length / (2 * width) }, (_, index) => {
    const start = index * 2 * width;
    const read = (at: number): number => Number.parseInt(text.slice(at, at + width), 36);
    return [read(start), read(start + width)];
  });
}

/** Returns the entry of an item in a text. */
export function writeEntry(id: number, content: number): string {
  return writeHash(id) + writeHash(content);
}

function writeHash(value: number): string {
  return value.toString(36).padStart(width, "0");
}
