/** A time range that a run reads, in ms since 1970. */
export interface Section {
  from: number;
  to: number;
  /** Whether it is the range whose items the last run kept: equal items without an ID are then the same one. */
  isReread: boolean;
  /** The log of its items: that of the next run, that of this run only, or none, because it may be long. */
  log: "kept" | "passing" | "none";
}

/** The ranges of a run. */
export interface PullPlan {
  end: number;
  sections: Section[];
}

/** The progress of the runs before. */
export interface PullProgress {
  /** The ends of earlier runs, in ms, the last one last. */
  ends: readonly number[];
  /** The start of the range whose items the last run kept, if one of them has no ID. */
  keptFrom: number | undefined;
}

/** The times that decide about the overlap of two runs, in ms. */
export interface Overlapping {
  allowedLateness: number;
  /** The precision with which the service compares instants (gap `time-range.precision`). */
  precision: number;
}

/** The times that decide about the ranges of a run, in ms. */
export interface PullTimes extends Overlapping {
  since: number;
  now: number;
}

/** A date before it has no RFC 3339 form with four digits for the year. */
export const earliest = Date.parse("0001-01-01T00:00:00Z");

/**
 * Plans a run. A request finds the items well inside its range for certain, and those within `precision` of its ends
 * perhaps (gaps `time-range.ends`, `time-range.precision`): neighboring ranges overlap by that much.
 */
export function planRun({ ends, keptFrom }: PullProgress, times: PullTimes): PullPlan {
  const { since, now, precision } = times;
  const overlap = overlapOf(times);
  const last = ends.at(-1);
  if (last === undefined) return planRange(since - precision, now, times);
  // the clock went back by more than clocks may differ: an earlier run had a clock that was ahead, or this one is behind
  if (now < last - overlap) {
    const trusted = ends.findLast((end) => end <= now);
    return planRange(
      trusted === undefined ? Math.min(since, now) - precision : trusted - overlap,
      now,
      times,
    );
  }
  const end = Math.max(last, now);
  if (keptFrom === undefined) return planRange(last - overlap, end, times);
  return planPieces({ last, end, keptFrom }, times);
}

/** The time before the end of a run that the next run reads again. */
export function overlapOf({ allowedLateness, precision }: Overlapping): number {
  return Math.max(allowedLateness, precision) + precision;
}

/**
 * Divides a range: the part that the next run reads again comes first, because its items are kept. The two parts overlap
 * outside of what the next run can return, so that it returns no item that only the other part had.
 */
function planRange(from: number, end: number, times: PullTimes): PullPlan {
  const { precision } = times;
  const overlap = overlapOf(times);
  const tail = end - overlap - 4 * precision;
  const isShort = tail - from <= overlap;
  const sections: Section[] = [{ from: isShort ? from : tail, to: end, isReread: false, log: "kept" }];
  if (!isShort) sections.push({ from, to: tail + 2 * precision, isReread: false, log: "none" });
  return { end, sections: sections.map(clamp) };
}

/**
 * Divides a range for items without an ID, which are known by the range that returns them: the range whose items the
 * last run kept is read by itself, and so is the one whose items this run keeps.
 */
function planPieces(
  { last, end, keptFrom }: { last: number; end: number; keptFrom: number },
  times: PullTimes,
): PullPlan {
  const overlap = overlapOf(times);
  const begin = Math.min(keptFrom, last - overlap);
  const tail = Math.max(begin, end - overlap);
  const cuts = [...new Set([begin, keptFrom, tail, last])].filter((cut) => cut === begin || cut < end);
  cuts.sort((a, b) => a - b);
  const pieces = cuts.map((from, index): Section => {
    const next = cuts[index + 1];
    return {
      from,
      to: next === undefined ? end : Math.min(end, next + 2 * times.precision),
      isReread: from >= keptFrom && from < last,
      log: from >= tail ? "kept" : from < last ? "passing" : "none",
    };
  });
  return { end, sections: pieces.toSorted((a, b) => rank(a) - rank(b)).map(clamp) };
}

/** The order of pieces: an item in two of them is judged in the first one, if possible by the last run. */
function rank({ isReread, log }: Section): number {
  if (isReread) return 0;
  return log === "none" ? 2 : 1;
}

function clamp({ from, to, ...section }: Section): Section {
  const start = Math.max(earliest, Math.floor(from));
  return { from: start, to: Math.max(start, Math.ceil(to)), ...section };
}
