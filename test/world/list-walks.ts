/** Walks a random list as programs do, and judges what they get. */
import { FleetClient, ShelfleetError, StoreClient } from "../../src/index.ts";
import { must } from "./clock.ts";
import type { ListCase, NumberedCase, PhotosCase, ProtocolsCase, StoresCase } from "./list-history.ts";
import {
  grains,
  inRange,
  type ListService,
  numberedService,
  start,
  storesService,
  timedService,
} from "./list-services.ts";

/** More requests than that are a walk that does not end. */
const maxRequests = 1500;

interface Page {
  readonly items: readonly object[];
  readonly resume: string | null;
  readonly drift?: readonly object[];
}

interface AnyList {
  pages(options?: object): AsyncIterable<Page>;
}

/** What a walk has delivered, and how it ended. */
interface Result {
  readonly ids: string[];
  error?: ShelfleetError;
  hasDrift: boolean;
}

/** Walks a list. Rejects with the first broken rule, whose `trace` shows the requests. */
export async function walkList(history: ListCase): Promise<void> {
  const service = createService(history);
  const trace: string[] = [];
  try {
    const result = await walkPages(history, service, trace);
    trace.push(`delivered ${result.ids.join(" ")}`, String(result.error ?? "no error"));
    judge(history, service, result);
  } catch (error) {
    throw Object.assign(error as Error, { trace });
  }
}

function createService(history: ListCase): ListService {
  if (history.kind === "numbered") return numberedService(history);
  return history.kind === "stores" ? storesService(history) : timedService(history);
}

/** Reads all pages: by one program, or each page by another one, which has only the token of the page before. */
async function walkPages(history: ListCase, service: ListService, trace: string[]): Promise<Result> {
  const result: Result = { ids: [], hasDrift: false };
  const { ahead, isInPieces, verify, kind } = history;
  const isNumbered = kind === "numbered";
  const options =
    ahead === 0 ? {} : { [isNumbered ? "concurrency" : "prefetch"]: ahead + (isNumbered ? 1 : 0) };
  const fetch = async (input: string): Promise<Response> => {
    const { pathname, searchParams } = new URL(input);
    const path = pathname.replace(/^.*?\/v1/, "");
    if (service.model.requests >= maxRequests) throw new Error("the walk does not end");
    const { status, body } = service.respond(path, searchParams);
    trace.push(`${path}?${searchParams} → ${status} ${JSON.stringify(body)}`);
    return Response.json(body, { status });
  };
  try {
    for (let resume: string | null | undefined; resume !== null; ) {
      let last: Page | undefined;
      for await (const page of open(history, fetch, resume).pages(options)) {
        must(last?.resume !== null || verify, "only the last page has no `resume`");
        last = page;
        result.ids.push(...page.items.map((item) => idOf(item)));
        result.hasDrift ||= (page.drift ?? []).length > 0;
        must((page.resume ?? "").length < 5000, "a token is short", page.resume);
        if (isInPieces && !verify) break;
      }
      must(last !== undefined, "a walk has at least one page");
      must(last.resume === null || (isInPieces && !verify), "the last page has no `resume`");
      resume = last.resume;
    }
  } catch (error) {
    if (!(error instanceof ShelfleetError)) throw error;
    result.error = error;
  }
  must(service.model.requests < maxRequests, "G-3: a walk ends");
  return result;
}

function idOf(item: object): string {
  const { id, vehicleId, externalId, storeId, protocolId, photoId, label } = item as Record<string, string>;
  return String(externalId ?? storeId ?? protocolId ?? photoId ?? vehicleId ?? id ?? label);
}

function open(history: ListCase, fetch: (input: string) => Promise<Response>, resume?: string): AnyList {
  const { limit, kind, verify } = history;
  const query = { limit, resume, verify: verify || undefined };
  if (kind === "numbered") {
    const wholeLists = history.pagination !== "right";
    const { onDrift, list, page } = history;
    const own = resume === undefined && page > 1 ? { page } : {};
    const baseUrl = "https://fleet.example/api/third-party/v1";
    const fleet = new FleetClient({
      baseUrl,
      key: `acme_${"0".repeat(64)}`,
      fetch,
      retry: 0,
      wholeLists,
      onDrift,
    });
    const whole = { ...query, ...own };
    return list === "fieldVehicles"
      ? fleet.vehicleFields.listVehicles("f-1", whole)
      : fleet[list].list(whole);
  }
  const client = { baseUrl: "https://stores.example", token: "token-0123456789", fetch, retry: 0 };
  if (kind === "stores") return new StoreClient(client).stores.list(query);
  const range = rangeOf(history);
  const identify =
    history.ids === "identify" ? (item: object): string => (item as { label: string }).label : undefined;
  const timed = { ...query, from: new Date(range.from), to: new Date(range.to), identify };
  if (kind === "photos") {
    const photoPage = { items: history.names, cursor: "nextCursor" };
    return new StoreClient({ ...client, photoPage }).photos.list("S-1", timed);
  }
  const { protocolPages, precision: timePrecision } = history;
  return new StoreClient({ ...client, protocolPages, timePrecision }).protocols.list("S-1", timed);
}

function rangeOf({ span }: ProtocolsCase | PhotosCase): { from: number; to: number } {
  return { from: start - 1, to: start + span + 1 };
}

/** A rule that does not hold where no client can notice it (docs/guarantees.md) is left out. */
function judge(history: ListCase, service: ListService, result: Result): void {
  const { ids, error } = result;
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  const twice = [...counts].filter(([, count]) => count > 1).map(([id]) => id);
  must(twice.length === 0 || mayRepeat(history, service), "G-1: each entry is delivered once", twice);
  if (error !== undefined) {
    const reason = reasonOf(history, service);
    return must(reason !== undefined, "a walk fails only for a reason", String(error), error.stack);
  }
  if (mayLose(history, service, result)) return;
  const lost = wholeOf(history, service).filter((id) => !counts.has(id));
  must(lost.length === 0, "G-1: each entry that exists all the time is delivered", lost);
}

/** The entries that the walk has to deliver. */
function wholeOf(history: ListCase, { model }: ListService): string[] {
  if (history.kind === "stores") return model.whole;
  if (history.kind === "numbered") return model.whole.filter((id) => !isBefore(history, id));
  const { from, to } = rangeOf(history);
  const query = new URLSearchParams({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  const grain = history.kind === "protocols" ? grains[history.precision] : 1;
  const found = new Set(inRange(history, model, query, grain).map(({ id }) => id));
  return model.whole.filter((id) => found.has(id));
}

/** Whether an entry was on a page before the first one of the walk. */
function isBefore({ page, limit, most, counts }: NumberedCase, id: string): boolean {
  const size = counts === "given" ? Math.min(limit, most ?? limit) : limit;
  return Number(id.slice(1)) < (page - 1) * size;
}

function mayRepeat(history: ListCase, service: ListService): boolean {
  // told to the pages: rows have moved over the place of a token
  if (history.kind === "numbered" && history.onDrift === "report" && history.isInPieces)
    return service.model.isChanged;
  // an item without an ID is delivered as often as it comes
  return "ids" in history && history.ids === "none" && service.model.requests > 0;
}

function mayLose(history: ListCase, { model }: ListService, { hasDrift }: Result): boolean {
  if (history.kind === "stores") {
    // a store without external ID has no cursor
    return false;
  }
  if (history.kind !== "numbered") return false;
  const { onDrift, ahead, page, most, limit, totals, pagination, counts, faults } = history;
  // totals that agree with what is shown
  if (totals !== "right" && ((most !== null && most < limit) || faults.length > 0)) return true;
  // told to the pages
  if (onDrift === "report" && hasDrift) return true;
  // a walk from a later page does not know how many entries come before it, and where the pages begin
  if (pagination === "none" && most !== null && most < limit && counts === "requested") return true;
  if (page > 1 && (model.isChanged || (most !== null && most < limit))) return true;
  // totals that agree: of two neighboring requests, or of pages that are in flight at the same time
  return model.isReplaced || (ahead > 0 && model.hasCreated && model.hasDeleted);
}

/** Why a walk may fail; undefined if it has to succeed. */
function reasonOf(history: ListCase, service: ListService): string | undefined {
  const { model } = service;
  if (history.verify && (model.isChanged || history.faults.length > 0)) return "verify: the passes differ";
  if (history.kind === "numbered") return numberedReason(history, model.isChanged);
  if (history.kind === "stores") return storesReason(history, model.hasDeleted);
  return timedReason(history, service);
}

/** The lists whose pagination the contract shows. */
const documented = new Set(["vehicleFields", "fieldVehicles", "inspectionTemplates"]);

function numberedReason(
  {
    list,
    verify,
    onDrift,
    totals,
    faults,
    pagination,
    most,
    limit,
    isInPieces,
    page,
    rows,
    pastEnd,
    counts,
  }: NumberedCase,
  isChanged: boolean,
): string | undefined {
  if (isChanged) return "rows have moved";
  if (pagination === "none" && rows > 0) return "the list has pages and does not say so";
  if (pagination !== "right" && documented.has(list)) return "the contract shows the pages of the list";
  if (pagination !== "right") return page > 1 ? "a whole list has one page" : undefined;
  if (totals === "hidden" && onDrift !== "report") return "the total counts hidden entries";
  if (totals === "of the page" && onDrift === "throw") return "the totals differ";
  if (onDrift === "throw" && faults.length > 0) return "a page was wrong";
  if (verify && most !== null && counts === "requested")
    return "verify: pages of different sizes lose entries";
  if (onDrift === "throw" && most !== null && most < limit && counts === "requested")
    return "the pages are short";
  // each process knows only a part
  if (isInPieces && most !== null && most < limit && counts === "requested") return "the pages are short";
  if (page > 1 && most !== null && most < limit) return "the pages are short";
  if (page > 1 && pastEnd !== "empty") return "the page does not exist";
  if (isInPieces && faults.length > 0) return "a page was wrong";
  return page > 1 && faults.length > 0 ? "a page was wrong" : undefined;
}

function storesReason(
  { cursors, withoutId, limit, verify }: StoresCase,
  hasDeleted: boolean,
): string | undefined {
  if (hasDeleted) return "the store of a cursor was deleted";
  if (cursors === "at" && (limit === 1 || verify)) return "a page of one store is the store of its cursor";
  // a full page may end with a store without external ID
  return withoutId > 0 ? "a store without external ID has no cursor" : undefined;
}

function timedReason(history: ProtocolsCase | PhotosCase, { model }: ListService): string | undefined {
  const { kind, ids, cursors, isInPieces, limit, verify } = history;
  const isWindowed = kind === "protocols" && (history.protocolPages === "window" || !cursors.startsWith("a"));
  if (cursors === "at" && (limit === 1 || verify)) return "a page of one item is the item of its cursor";
  // a process that begins at the second page believes one response
  const mayBeOld = kind === "protocols" && isInPieces && history.faults.length > 0;
  if (mayBeOld && isCrowd(history, model.made)) return "more items at one time than a page has";
  if (!isWindowed) return undefined;
  if (ids === "none") return "items without ID may be in two time ranges";
  if (cursors === "rejected later" && isInPieces) return "the cursor is rejected";
  if (isCrowd(history, model.made)) return "more items at one time than a page has";
  // more than half of a page: it may be another page
  return model.made >= limit / 2 ? "items have arrived" : undefined;
}

/** Whether more items than a page has may be in the time that two time ranges share. */
function isCrowd(history: ProtocolsCase | PhotosCase, made: number): boolean {
  const grain = history.kind === "protocols" ? grains[history.precision] : 1;
  const { rows } = timedService({ ...history, faults: [] }).model;
  const most = (history.verify ? 1 : history.limit) - made;
  const within = 3 * grain + 3;
  return rows.some(
    ({ key }) => rows.filter((row) => row.key >= key && row.key <= key + within).length >= most,
  );
}
