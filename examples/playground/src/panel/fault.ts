import type { FaultKind, FaultPlace, OperationId, PagingFaultKind, ReferenceServer } from "shelfleet/mock";
import { literal } from "../literal.ts";

/** A fault of an operation. */
export type Deed = "status" | "delay" | FaultKind | PagingFaultKind;

/** The fields of a fault, as text. */
export interface FaultDraft {
  operation: OperationId;
  deed: Deed;
  status: string;
  ms: string;
  /** Empty: where it usually strikes. */
  at: FaultPlace | "";
  times: string;
}

type Titled<Name> = readonly (readonly [Name, string])[];

const FAULTS: Titled<FaultKind> = [
  ["reset", "reset: the connection is lost"],
  ["close", "close: it ends before the answer does"],
  ["truncate", "truncate: half an answer"],
  ["malformed", "malformed: JSON that breaks off"],
  ["html", "html: a proxy's page, status 200"],
  ["stall", "stall: nothing more comes"],
];

const ADVERSARIES: Titled<PagingFaultKind> = [
  ["repeat-cursor", "paging: the same page again"],
  ["cycle", "paging: pages in a circle"],
  ["empty-page", "paging: an empty page in between"],
  ["clamp", "paging: never past a page"],
  ["shift", "paging: rows come and go"],
];

/** The faults of an operation. A list can also return misleading pages. */
export function deedsFor(isList: boolean): Titled<Deed> {
  const usual: Titled<Deed> = [["status", "an answer with a status"], ["delay", "delay"], ...FAULTS];
  return isList ? [...usual, ...ADVERSARIES] : usual;
}

/** The phases of a request in which a fault can occur. */
export function placesFor(deed: Deed, method: string): Titled<FaultPlace | ""> {
  if (!isOneOf(FAULTS, deed)) return [];
  const write: Titled<FaultPlace | ""> = [
    ["", "before the write"],
    ["after", "after the write"],
  ];
  const parts: Titled<FaultPlace | ""> = [
    ["head", "at the head"],
    ["body", "in the body"],
  ];
  const isPartial = deed === "stall" || deed === "truncate";
  return [...(method === "GET" ? [["", "as usual"] as const] : write), ...(isPartial ? parts : [])];
}

/** Tells the server. */
export function applyFault(server: ReferenceServer, draft: FaultDraft): void {
  const { deed, at } = draft;
  const override = server.on(draft.operation);
  if (isOneAnswer(draft)) override.once({ status: Number(draft.status) });
  else if (deed === "status") override.always({ status: Number(draft.status) });
  else if (deed === "delay") override.delay(Number(draft.ms));
  else if (isOneOf(FAULTS, deed)) override.fault(deed, at === "" ? {} : { at });
  else override.paging(deed);
  if (draft.times !== "" && !isOneAnswer(draft)) override.times(Number(draft.times));
}

/** The same as code. */
export function faultCode(draft: FaultDraft): string {
  const times = draft.times === "" || isOneAnswer(draft) ? "" : `.times(${draft.times})`;
  return `ref.on(${literal(draft.operation)}).${deedCode(draft)}${times};`;
}

function deedCode(draft: FaultDraft): string {
  const { deed, status, ms, at } = draft;
  if (deed === "status") return `${isOneAnswer(draft) ? "once" : "always"}({ status: ${status} })`;
  if (deed === "delay") return `delay(${ms})`;
  if (!isOneOf(FAULTS, deed)) return `paging(${literal(deed)})`;
  return `fault(${literal(deed)}${at === "" ? "" : `, ${literal({ at })}`})`;
}

/** Said shorter than by `times(1)`. */
function isOneAnswer({ deed, times }: FaultDraft): boolean {
  return deed === "status" && times === "1";
}

function isOneOf<Name extends string>(titled: Titled<Name>, name: string): name is Name {
  return titled.some(([known]) => known === name);
}
