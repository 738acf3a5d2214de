/** The jobs that copy: pull and mirror. Rows and state are saved in one transaction, and survive each kill. */
import { DatabaseSync } from "node:sqlite";
import { mirror, type MirrorSink, type MirrorSource, pull, sqliteSink } from "../../src/sync/index.ts";
import { JobError } from "../../src/sync/index.ts";
import { settle } from "../sync/service.ts";
import { epoch, must } from "./clock.ts";
import type { Steps } from "./history.ts";
import type { StepContext } from "./step.ts";
import { isReplaced } from "./walks.ts";

/** The copy of a list. */
interface Copy {
  readonly rows: () => Map<string, string>;
  readonly sink: MirrorSink<unknown, unknown>;
  /** The point at which the unfinished pass over the list began. */
  start?: number | undefined;
}

function openCopy(): Copy {
  const db = new DatabaseSync(":memory:");
  const sink = sqliteSink<unknown, unknown>(db, "entries");
  const select = db.prepare("SELECT id, data FROM entries");
  return { sink, rows: () => new Map(select.all().map(({ id, data }) => [String(id), String(data)])) };
}

/** What the pulls of one list have saved. */
interface Pulled {
  state?: string;
  /** The point at which the unfinished run began. */
  start?: number | undefined;
  /** The forms of each item, in the order of their arrival. */
  readonly items: Map<string, string[]>;
}

/** Returns the batches of a pull, also if it ends with a `JobError`: they name what has failed. */
async function* untilFailure<T>(batches: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  try {
    yield* batches;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
  }
}

const since = new Date(epoch - 20 * 86_400_000);

/** The databases of a history. */
export class Copies {
  readonly #copies = new Map<string, Copy>();
  readonly #pulled = new Map<string, Pulled>();

  /** Mirrors a list, some times. */
  readonly mirror = async (context: StepContext, step: Steps["mirror"]): Promise<void> => {
    const { program, truth, call, saved, service } = context;
    const { on, limit, details } = step;
    const name = `${context.id.split(".")[0]} ${on} ${limit}`;
    const copy = this.#copies.get(name) ?? openCopy();
    this.#copies.set(name, copy);
    const sink: typeof copy.sink = {
      ...copy.sink,
      async save(changes) {
        const isGone = changes.deleted.every((id) => truth.read(on, id) === undefined);
        must(isGone, "G-11: a mirror deletes only what is gone", on, changes.deleted);
        program.inspect(changes.state, "a state");
        await context.save(() => void copy.sink.save(changes));
      },
    };
    // the common part of the resources
    const source = (on === "stores" ? program.store.stores : program.fleet[on]) as MirrorSource<unknown>;
    for (let run = saved.run ?? 0; run < step.runs; run += 1) {
      const point = (copy.start ??= truth.now);
      const options = { ...call, query: { limit }, details, maxDeleted: 1 };
      const result = await context.attempt(() => settle(mirror(source, sink, options)));
      await context.save(() => void (saved.run = run + 1));
      if (result === undefined) continue;
      copy.start = undefined;
      const { failed, kept } = result;
      program.inspect(failed, "the errors of entries");
      // a store without external ID cannot be read
      const unread = failed.filter(({ id }) => truth.read(on, id)?.["externalId"] !== null);
      must(unread.length === 0 || !context.isCalm, "an entry fails for a reason", String(unread[0]?.error));
      const copied = copy.rows();
      const formsOf = (id: string): Set<string> => truth.forms(on, id, point);
      const isFailed = (id: string): boolean => failed.some((entry) => entry.id === id);
      const extra = [...copied.keys()].filter((id) => formsOf(id).size === 0);
      must(extra.length <= kept + failed.length, "a mirror says which entries it keeps", on, extra, result);
      // what no client can notice: totals that agree
      if (on !== "stores" && isReplaced(truth.since(on, point))) continue;
      const known = [...copied].filter(([id]) => formsOf(id).size > 0 && !isFailed(id));
      const wrong = known.filter(([id, data]) => !formsOf(id).has(data));
      must(wrong.length === 0, "a mirror has the entries as they are", on, wrong);
      const lost = truth.whole(on, point).filter((id) => !copied.has(id) && !isFailed(id));
      // what was on a page that was not the requested one is read by the pass after it
      const isLeft = service.isPagingFaulty && !(service.isCalm && run > 0);
      must(lost.length === 0 || isLeft, "G-10: a mirror has every entry of the list", on, lost);
      await context.sleep(60_000);
    }
  };

  /** Pulls what is new, some times; between two runs there are hours. */
  readonly pull = async (context: StepContext, step: Steps["pull"]): Promise<void> => {
    const { program, truth, call, saved, service } = context;
    const { what, limit, lateness: allowedLateness } = step;
    const externalId = context.store(step.pick);
    const list = `${what}/${externalId}`;
    const details = what === "protocols" && step.details;
    const name = `${context.id.split(".")[0]} ${list} ${details}`;
    const pulled: Pulled = this.#pulled.get(name) ?? { items: new Map() };
    this.#pulled.set(name, pulled);
    saved.isProtocols = what === "protocols";
    // the overloads of `pull` differ in their results only
    const source = program.store[what] as typeof program.store.photos;
    for (let run = saved.run ?? 0; run < step.runs; run += 1) {
      const point = (pulled.start ??= truth.now);
      const failed = new Set<string>();
      const clocks = { since, allowedLateness, onWarning: () => {}, runtime: program.runtime };
      const options = { ...call, ...clocks, state: pulled.state, limit, details: details as false };
      const end = await context.attempt(async () => {
        let completeUntil = 0;
        for await (const batch of untilFailure(pull(source, externalId, options))) {
          must(batch.items.length === batch.ids.length, "a batch has an ID for each item");
          program.inspect([batch.state, batch.failed], "a batch");
          for (const { id } of batch.failed) failed.add(id);
          completeUntil = batch.completeUntil.getTime();
          await context.save(() => {
            for (const [index, id] of batch.ids.entries())
              pulled.items.set(id, [...(pulled.items.get(id) ?? []), JSON.stringify(batch.items[index])]);
            pulled.state = batch.state;
          });
        }
        return completeUntil;
      });
      await context.save(() => void (saved.run = run + 1));
      if (end === undefined) continue;
      pulled.start = undefined;
      must(failed.size === 0 || !context.isCalm, "an item fails only for a reason", [...failed]);
      for (const [id, forms] of pulled.items) {
        const isKnown = !service.hasRefused && !details && truth.forms(list, id, 0).size === 1;
        must(!isKnown || new Set(forms).size === forms.length, "G-10: a pull repeats nothing", id, forms);
      }
      const missing = truth.whole(list, point).filter((id) => {
        const created = Date.parse(String(truth.read(list, id)?.["createdAt"]));
        const made = truth.since(list, 0).find(({ key }) => key === `${list} ${id}`);
        // the paging fault `shift` adds copies of old items
        const isLate = made !== undefined && epoch + made.at + service.skew - created > allowedLateness;
        // the clock of the service is known to the second
        const isInRange = created >= since.getTime() && created < end - 1000;
        return isInRange && !isLate && !pulled.items.has(id) && !failed.has(id);
      });
      // what failed in an interrupted run is read by the run after it
      const isLeft = details && !(service.isCalm && run > 0);
      must(missing.length === 0 || isLeft, "G-10: a pull loses nothing", list, missing);
      await context.sleep(2 * 3_600_000);
    }
  };
}
