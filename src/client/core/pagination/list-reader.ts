// Loaded when the first list is awaited or iterated.
import { PaginationError } from "../errors/response-errors.ts";
import { isInteger, isObject, objectOf } from "../../../wire/json.ts";
import type { ResponseContent } from "../request/content.ts";
import { type DestinationCheck, DestinationLock } from "../request/destination.ts";
import { type ListCall, refusal } from "./list-call.ts";

/** The settings of one walk. */
export interface WalkSettings {
  /** The number of pages that are requested before they are needed. */
  ahead: number;
  /** The consumer reads the items or the pages. */
  unit: "items" | "pages";
  sender: RequestSender;
}

/** Walks the pages, of which there is at least one. Rejects a resume token of another list. */
export type Walk<P> = (settings: WalkSettings) => AsyncGenerator<P, void, void>;

/** Sends the requests of a walk. */
export interface RequestSender {
  /** Sends a request. Equal requests have the same key. */
  send(key: string, send: () => Promise<ResponseContent>): Promise<ResponseContent>;
  /** Returns the destination of the walk. */
  lockDestination(check: DestinationCheck | undefined): DestinationLock;
}

/** A request and its response. */
interface RecordedRequest {
  readonly key: string;
  readonly response: Promise<ResponseContent>;
}

/** Records the requests of a list's first page, so that another walk can begin with the same responses. */
export class RequestRecord implements RequestSender {
  readonly #requests: RecordedRequest[] = [];
  #destination: DestinationLock | undefined;
  #isOpen = true;

  lockDestination(check: DestinationCheck | undefined): DestinationLock {
    this.#destination ??= new DestinationLock(check);
    return this.#destination;
  }

  send(key: string, send: () => Promise<ResponseContent>): Promise<ResponseContent> {
    const response = send();
    if (this.#isOpen) this.#requests.push({ key, response });
    return response;
  }

  /** Ends the recording: further requests are not those of the first page. */
  close(): void {
    this.#isOpen = false;
  }

  /** Returns a sender that uses each recorded response once, and sends all other requests. */
  replay(): RequestSender {
    const requests = this.#requests;
    return {
      lockDestination: (check) => this.lockDestination(check),
      send(key, send) {
        const index = requests.findIndex((request) => request.key === key);
        const [recorded] = index < 0 ? [] : requests.splice(index, 1);
        return recorded === undefined ? send() : recorded.response.then(parseAgain);
      },
    };
  }
}

/** Returns the response with other objects, because the caller may have changed those of the first page. */
function parseAgain(content: ResponseContent): ResponseContent {
  return { ...content, json: objectOf(JSON.parse(content.text)) };
}

/** The first page of a list, which is requested once. */
interface FirstPage<P> {
  page: Promise<P>;
  /** The requests of the page, for the first loop; undefined if a loop has begun with it. */
  record: RequestRecord | undefined;
}

/** The option of `pages()` and `items()` that requests pages before they are needed; its default is its minimum. */
interface AheadOption {
  name: string;
  minimum: number;
}

/** Reads the pages of a list. The first page is requested once; the first loop begins with it. */
export class ListReader<P> {
  readonly #call: ListCall;
  readonly #ahead: AheadOption;
  readonly #walk: Walk<P>;
  #first: FirstPage<P> | undefined;

  constructor(call: ListCall, ahead: AheadOption, walk: Walk<P>) {
    this.#call = call;
    this.#ahead = ahead;
    this.#walk = walk;
  }

  /** Returns the first page. */
  readFirst(): Promise<P> {
    if (this.#first !== undefined) return this.#first.page;
    const record = new RequestRecord();
    const pages = this.#walk({ ahead: 0, unit: "pages", sender: record });
    return this.#keepFirst(pages, record);
  }

  /** Starts a walk. The first one of the list begins with the first page, if that was awaited. */
  async *walk(unit: "items" | "pages", options: unknown): AsyncGenerator<P, void, void> {
    const { name, minimum } = this.#ahead;
    const count = readCount(this.#call, options, { name, minimum, fallback: minimum });
    const ahead = count === minimum ? 0 : count;
    const first = this.#first;
    const record = first?.record ?? new RequestRecord();
    if (first !== undefined) first.record = undefined;
    const pages = this.#walk({ ahead, unit, sender: record.replay() });
    if (first !== undefined) return yield* pages;
    try {
      yield await this.#keepFirst(pages, undefined);
      yield* pages;
    } finally {
      await pages.return(); // the consumer may have left after the first page
    }
  }

  /** Returns the whole list. */
  async toArray<T>(list: AsyncIterable<T>, options: unknown): Promise<T[]> {
    const call = this.#call;
    if (isObject(options) && "limit" in options)
      throw refusal(
        call,
        "limit",
        "is not an option: toArray returns the whole list. Use take(n) for the first n items, or `max`",
      );
    const max = readCount(call, options, {
      name: "max",
      minimum: 0,
      fallback: defaultMax,
      mayBeInfinite: true,
    });
    const items = await collect(list, max + 1);
    if (items.length <= max) return items;
    const advice = "pass a larger `max`, call take(n) for the first n items, or iterate the list";
    throw new PaginationError(call.label, `the list has more than ${max} items (\`max\`): ${advice}`, {});
  }

  /** Returns the first `count` items. */
  async take<T>(list: AsyncIterable<T>, count: unknown): Promise<T[]> {
    return collect(list, readCount(this.#call, { count }, { name: "count", minimum: 0 }));
  }

  /** Keeps the first page for those who await the list. A failure is not kept, so that the list can be read again. */
  #keepFirst(pages: AsyncGenerator<P, void, void>, record: RequestRecord | undefined): Promise<P> {
    const page = pages.next().then(({ value }) => value as P); // every list has a first page
    this.#first = { page, record };
    page.then(
      () => record?.close(),
      () => {
        this.#first = undefined;
      },
    );
    return page;
  }
}

/** The default of `max`: a list with more items should be read page by page. */
const defaultMax = 100_000;

/** The only option of a method. */
interface CountOption {
  name: string;
  minimum: number;
  fallback?: number;
  mayBeInfinite?: boolean;
}

/** Reads the only option of a method. */
function readCount(call: ListCall, options: unknown, option: CountOption): number {
  const { name, minimum, fallback, mayBeInfinite = false } = option;
  if (options !== undefined && !isObject(options)) throw refusal(call, "options", "must be an object");
  for (const [given, value] of Object.entries(options ?? {}))
    if (given !== name && value !== undefined)
      throw refusal(call, given, `is not an option; expected ${name}`);
  const value = options?.[name] ?? fallback;
  if (mayBeInfinite && value === Infinity) return Infinity;
  if (isInteger(value) && value >= minimum) return value;
  throw refusal(
    call,
    name,
    `must be an integer of at least ${minimum}${mayBeInfinite ? ", or Infinity" : ""}`,
  );
}

/** Returns the first items; further pages are not fetched. */
async function collect<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const collected: T[] = [];
  if (count === 0) return collected;
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= count) break;
  }
  return collected;
}
