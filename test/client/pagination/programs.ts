import { CursorList, type PageList, ShelfleetError } from "../../../src/index.ts";

/** Opens a list, once for each part of a walk. */
export type AnyList = CursorList<unknown> | PageList<unknown, unknown>;
export type Open = (resume: string | undefined) => AnyList;

/** The items that a program received, and the error that ended it. */
export interface Outcome {
  items: string[];
  error: Error | undefined;
}

interface AnyPage {
  items: unknown[];
  resume: string | null;
}

const mostPages = 500;

function pagesOf(list: AnyList, ahead: number): AsyncIterable<AnyPage> {
  return list instanceof CursorList
    ? list.pages({ prefetch: ahead })
    : list.pages({ concurrency: ahead + 1 });
}

/** Walks in parts of the given number of pages. Each part resumes from a token that was stored as a string. */
async function walkInPieces(
  open: Open,
  ahead: number,
  pieceLength: number,
  deliver: (items: unknown[]) => void,
) {
  let resume: string | undefined;
  for (let pages = 0; pages < mostPages; ) {
    let inPiece = 0;
    let last: string | null = null;
    for await (const page of pagesOf(open(resume), ahead)) {
      deliver(page.items);
      last = page.resume;
      pages += 1;
      inPiece += 1;
      if (inPiece === pieceLength || pages === mostPages) break;
    }
    if (last === null) return;
    resume = JSON.parse(JSON.stringify(last)) as string;
  }
  throw new Error("the walk does not end");
}

/** Breaks after some pages, and starts again from the beginning. */
async function breakAndBegin(open: Open, ahead: number, deliver: (items: unknown[]) => void) {
  const list = open(undefined);
  let pages = 0;
  for await (const _ of pagesOf(list, ahead)) if ((pages += 1) === 2) break;
  for await (const page of pagesOf(list, ahead)) deliver(page.items);
}

export const programs = {
  "first walk": (open: Open, ahead: number, deliver: (items: unknown[]) => void) =>
    walkInPieces(open, ahead, Infinity, deliver),
  "resumed after each page": (open: Open, ahead: number, deliver: (items: unknown[]) => void) =>
    walkInPieces(open, ahead, 1, deliver),
  "resumed after every second page": (open: Open, ahead: number, deliver: (items: unknown[]) => void) =>
    walkInPieces(open, ahead, 2, deliver),
  "left and begun again": breakAndBegin,
};

export type Program = keyof typeof programs;
export const programNames = Object.keys(programs) as Program[];

/** Runs a program. An error other than a `ShelfleetError` is a defect of the client and is thrown. */
export async function run(program: Program, open: Open, ahead: number): Promise<Outcome> {
  const items: string[] = [];
  const deliver = (page: unknown[]): void => {
    for (const item of page) items.push(JSON.stringify(item));
  };
  try {
    await programs[program](open, ahead, deliver);
  } catch (error) {
    if (error instanceof ShelfleetError) return { items, error };
    throw error;
  }
  return { items, error: undefined };
}
