/** Walks over lists: whole or an error, each entry once, and a token continues where it was saved. */
import { PaginationError } from "../../src/index.ts";
import { epoch, must } from "./clock.ts";
import type { Steps } from "./history.ts";
import type { StepContext } from "./step.ts";
import type { Row } from "./truth.ts";

type Walk = Steps["walk"];

const day = 86_400_000;
const range = { from: new Date(epoch - 40 * day), to: new Date(epoch + day) };

/** The properties of the ID, and lists whose items the service does not show as it has them. */
const ids: Record<string, string> = { stores: "storeId", protocols: "protocolId", photos: "photoId" };
const views = new Set(["inspections", "inspectionTemplates"]);

/** A list of either kind, without its types. */
interface AnyList {
  pages(options?: object): AsyncIterable<Page>;
  items(options?: object): AsyncIterable<unknown>;
  toArray(): Promise<unknown[]>;
}

interface Page {
  readonly sent: readonly unknown[];
  readonly resume: string | null;
  readonly drift?: readonly unknown[];
}

function open({ program, call, saved }: StepContext, step: Walk, store: string): AnyList {
  const { list, limit, verify, onDrift } = step;
  const query = { limit, verify: verify || undefined, resume: saved.resume };
  if (list === "stores") return program.store.stores.list(query, call);
  if (list === "protocols" || list === "photos")
    return program.store[list].list(store, { ...query, ...range }, call);
  return program.fleet[list].list({ ...query, onDrift }, call);
}

export async function walk(context: StepContext, step: Walk): Promise<void> {
  const { truth, saved, program, service } = context;
  const { list, verify, way, ahead, onDrift } = step;
  const externalId = context.store(step.pick);
  const isTimed = list === "protocols" || list === "photos";
  const isNumbered = !isTimed && list !== "stores";
  const name = isTimed ? `${list}/${externalId}` : list;
  saved.isProtocols = list === "protocols";
  const isResumed = saved.resume !== undefined;
  const delivered = (saved.ids = isResumed ? (saved.ids ?? []) : []);
  const seen = new Set<string>();
  let hasDrift = false;
  const take = (item: unknown): string => {
    const id = String((item as Row)[ids[list] ?? "id"]);
    must(!seen.has(id), "G-1: an entry is delivered once in a walk", name, id);
    seen.add(id);
    const forms = truth.forms(name, id, saved.start);
    must(forms.size > 0, "G-1: a delivered entry exists", name, id);
    const isKnown = views.has(list) || forms.has(JSON.stringify(item));
    must(isKnown, "G-7: an item is as the service has it", item, [...forms]);
    return id;
  };
  const readPages = async (pages: AsyncIterable<Page>): Promise<void> => {
    let last: string | null | undefined;
    for await (const page of pages) {
      must(last !== null || verify, "only the last page has no `resume`");
      hasDrift ||= (page.drift ?? []).length > 0;
      last = page.resume;
      const taken = page.sent.map(take);
      await context.save(() => {
        delivered.push(...taken);
        program.inspect(page.resume ?? "", "a resume token");
        if (page.resume !== null) saved.resume = page.resume;
      });
    }
    must(last === null, "the last page has no `resume`");
    delete saved.resume;
  };
  try {
    const opened = open(context, step, externalId);
    const options = ahead === 0 ? {} : { [isNumbered ? "concurrency" : "prefetch"]: ahead };
    if (way === "toArray") delivered.push(...(await opened.toArray()).map(take));
    else if (way === "items") for await (const item of opened.items(options)) delivered.push(take(item));
    else await readPages(opened.pages(options));
  } catch (error) {
    if (!context.isExpected(error)) throw error;
    const isMoved = truth.since(name, saved.start).length > 0 || service.isPagingFaulty;
    const isRefused = error instanceof PaginationError && isResumed && !saved.isProtocols;
    const hasCursors = program.history.readings["stores.null-cursor"] !== "last-not-null";
    must(!isRefused || isMoved || !hasCursors, "G-4: a token continues where it was saved", String(error));
    return context.requireReason(error);
  }
  if (program.isOver) return;
  const changes = truth.since(name, saved.start);
  // what no client can notice: totals that agree
  if (isNumbered && !verify && isReplaced(changes)) return;
  // a walk that was resumed does not know how many entries are missing; what each pass lacks is told to `onDrift`
  const isBlind = isResumed || service.ref.overrides.all().length > 0;
  if (isNumbered && service.isPagingFaulty && isBlind) return;
  // told to the hook `onDrift`, and to the pages
  if (onDrift === "report" && (hasDrift || way !== "pages")) return;
  const all = new Set(delivered);
  const lost = truth.whole(name, saved.start).filter((id) => !all.has(id));
  must(lost.length === 0, "G-1: each entry that exists all the time is delivered", name, lost, delivered);
  // a page that is read with another limit has no token of its own
  const isAgain = program.history.readings["stores.null-cursor"] === "last-not-null" || saved.isProtocols;
  const isSame = changes.length === 0 && !service.isPagingFaulty && !isAgain;
  must(!isSame || all.size === delivered.length, "G-4: a resumed walk repeats nothing", delivered);
}

/** Whether some entries were created and others deleted. */
export function isReplaced(changes: readonly { before: unknown; after: unknown }[]): boolean {
  const made = changes.filter(({ before }) => before === undefined);
  return made.length > 0 && changes.some(({ after }) => after === undefined);
}
