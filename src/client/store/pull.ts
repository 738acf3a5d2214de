import { InvalidRequestError } from "../core/errors/errors.ts";
import { PaginationError } from "../core/errors/response-errors.ts";
import type { CursorList } from "../core/pagination/list.ts";
import type { CursorPage } from "../core/pagination/page.ts";
import { digestParts } from "../core/pagination/digests.ts";
import { isStalePosition } from "../core/pagination/stale-position.ts";
import type { Destination } from "../core/request/destination.ts";
import type { Operation } from "../core/request/operation.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { SentItem } from "../core/request/shape.ts";
import type { JsonObject } from "../../wire/json.ts";
import { NewItems } from "./pull-items.ts";
import { overlapOf, type Overlapping, planRun, type PullTimes, type Section } from "./pull-plan.ts";
import { addEnd, type PullRun, type PullState, readState, sectionAt } from "./pull-state.ts";
import { type PullOptions, type PulledList, checkOptions } from "./pull-options.ts";

/** A page of a run. */
export interface PullBatch<T> {
  /** The items that are new or have changed since they were delivered. */
  items: T[];
  /** Save it together with the items. A later run in any process continues from it. Treat it as opaque. */
  readonly state: string;
}

/** Clocks in use do not differ by more. */
const day = 86_400_000;

/** Runs a pull: reads the sections of its run, or those that are left of an unfinished run. */
export async function* pull<T>(
  list: PulledList<T>,
  options: PullOptions,
  call: CallOptions | undefined,
): AsyncGenerator<PullBatch<T>, void, void> {
  const { readTimes, identity, filters } = checkOptions(list, options);
  const label = labelOf(list);
  const times = readTimes();
  const before = readProgress(list, options, filters, times.since);
  refuseEarlierStart(label, before, times);
  const { limit } = before.run ?? options;
  const readSection = ({ from, to }: Pick<Section, "from" | "to">, resume?: string | null) => {
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const { maxIdleRequests, identify } = options;
    const position = { limit: limit ?? undefined, maxIdleRequests, identify, resume: resume ?? undefined };
    return list.open({ ...filters, ...range, ...position }, call);
  };
  const readRange = async (range: Pick<Section, "from" | "to">): Promise<unknown[]> => {
    const items: unknown[] = [];
    for await (const { sent } of readSection(range)) items.push(sent);
    return items;
  };
  const begun =
    before.run === null ? await beginRun(label, before, times, options, readSection) : { run: before.run };
  const { run } = begun;
  let first: CursorList<SentItem<T>> | undefined = begun.first;
  const news = new NewItems(label, { identity, readRange, precision: list.precision }, { ...before, run });
  for (let index = run.section; index < run.sections.length; index += 1) {
    news.enter(index);
    const section = sectionAt(run, index);
    const pages = readPages(
      first ?? readSection(section, run.resume),
      run.resume !== null && news.remembersSection ? () => readSection(section) : undefined,
    );
    first = undefined;
    for await (const page of pages) {
      const items = await news.pick(page.items);
      run.resume = page.resume;
      const { recent } = news;
      const isEnd = page.resume === null && index === run.sections.length - 1;
      const next = isEnd
        ? finishRun(before, news, run, { ...options, precision: list.precision })
        : { ...before, recent, run: { ...run, section: page.resume === null ? index + 1 : index } };
      yield {
        items,
        get state(): string {
          return JSON.stringify(next);
        },
      };
    }
  }
}

/** Reads the pages of a list; those of another one if the position of the first one does not exist any more. */
async function* readPages<T>(
  list: CursorList<T>,
  openAgain: (() => CursorList<T>) | undefined,
): AsyncGenerator<CursorPage<T>, void, void> {
  let isRead = false;
  try {
    for await (const page of list.pages()) {
      isRead = true;
      yield page;
    }
  } catch (error) {
    if (isRead || openAgain === undefined || !isStalePosition(error)) throw error;
    yield* openAgain().pages();
  }
}

/**
 * Begins a run and requests its first page. A run whose end is later than the service's clock, by more than clocks may
 * differ, ends at the service's time instead: items may still appear until the wrong end.
 */
async function beginRun<T>(
  label: string,
  before: PullState,
  times: PullTimes,
  options: Pick<PullOptions, "limit">,
  readSection: (section: Section) => CursorList<T>,
): Promise<{ run: PullRun; first?: CursorList<T> }> {
  const run = startRun(before, times, options);
  const first = readSection(sectionAt(run, 0));
  const serverTime = await readServerTime(first);
  if (serverTime >= run.end - overlapOf(times)) return { run, first };
  if (serverTime < times.since - day) {
    const reason =
      "the service's clock is before `since`: its `Date` header is wrong, and nothing can be found";
    throw new PaginationError(label, reason, {});
  }
  return { run: startRun(before, { ...times, now: serverTime }, options) };
}

/** Returns the latest time that the service's clock may have shown with its first response; `Infinity` if it has no `Date` header. */
async function readServerTime(list: CursorList<unknown>): Promise<number> {
  const { response } = await (await list).withResponse();
  const time = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(time) ? Infinity : time + 999; // a `Date` header has whole seconds
}

function startRun(
  { ends, kept }: PullState,
  times: PullTimes,
  { limit }: Pick<PullOptions, "limit">,
): PullRun {
  const last = kept.at(-1);
  const keptFrom = last?.hasIds === false ? last.from : undefined;
  const { end, sections } = planRun({ ends, keptFrom }, times);
  return {
    end,
    sections,
    section: 0,
    resume: null,
    limit: limit ?? null,
    hasIds: true,
    kept: "",
    passing: "",
  };
}

function finishRun(before: PullState, news: NewItems, { end }: PullRun, times: Overlapping): PullState {
  // an item that this run did not see, but an earlier one, may be returned to the next run
  const kept = news.keep(before.kept, end - overlapOf(times) - 2 * times.precision);
  return { ...before, ends: addEnd(before.ends, end), kept, recent: news.recent, run: null };
}

/**
 * Rejects a `since` before that of the first run: no run would read the time between the two. It may be earlier by as much as
 * clocks differ, or as the clock went back, because a program can compute it from its clock.
 */
function refuseEarlierStart(label: string, { since: first, ends, run }: PullState, times: PullTimes): void {
  const { since, now } = times;
  const wentBack = Math.max(0, (run?.end ?? ends.at(-1) ?? now) - now);
  if (since >= first - overlapOf(times) - wentBack) return;
  const message =
    `is before that of the first run, ${new Date(first).toISOString()}: the items between the two would not be delivered. ` +
    "Pull them without a `state`, or keep `since`";
  throw new InvalidRequestError(label, [{ path: "since", message }]);
}

function labelOf({ api, operation }: Pick<PulledList<never>, "api" | "operation">): string {
  const { method, path } = api.config.operations[operation] as Operation; // the name comes from the same table
  return `${method} ${path}`;
}

function readProgress<T>(
  list: PulledList<T>,
  { state }: PullOptions,
  filters: JsonObject,
  since: number,
): PullState {
  const label = labelOf(list);
  const { destination } = list.api.config;
  const { baseUrl } = destination as Destination; // that of the store API does not depend on the token
  const digests = digestParts({ operation: label, ...list.path, baseUrl, ...filters });
  if (state !== undefined) return readState(state, label, digests);
  return { v: 2, list: digests, since, ends: [], kept: [], recent: "", run: null };
}
