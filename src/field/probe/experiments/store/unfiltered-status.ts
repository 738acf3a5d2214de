import { largestPage, maxLimit, storePath } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openParts, storeOf } from "../../experiment-tools.ts";
import { externalIds, getInRange, photosIn } from "./data.ts";
import { PHOTO_IDS, findUniqueProperty, instantOf, keysOf } from "./identity.ts";
import { PROTOCOL_ONLY } from "./photo-status.ts";
import { shiftTime, timesIn } from "./range-reader.ts";

/** A range that is compared with a precision of a minute contains, with this margin, what it would contain otherwise. */
const MARGIN = 2 * 60_000;

const OTHERS = ["failed", "processing"] as const;

const LISTS = ["protocols", "photos"] as const;

type Observing = AsyncGenerator<ExperimentResult<boolean> | undefined, void>;

export const unfilteredStatus = experiment({
  gap: "lists.unfiltered-status",
  cost: 1.5,
  needs: "protocols and photos that show a status other than completed",
  assumes: "The property status of protocols and photos is the one that the parameter compares with.",
  parts: LISTS,
  examine: (exchange) => {
    const isList = exchange.operation === "listProtocols" || exchange.operation === "listPhotos";
    if (!isList || !isOk(exchange) || exchange.query.status !== undefined) return undefined;
    const isPhotos = exchange.operation === "listPhotos";
    const rows = isPhotos ? photosIn(exchange) : rowsOf(exchange);
    // a photo of a completed protocol can have any status of an image
    const isOther = (status: string): boolean =>
      isPhotos ? PROTOCOL_ONLY.some((value) => value === status) : status !== "completed";
    const others = rows.filter(({ status }) => typeof status === "string" && isOther(status)).length;
    if (others === 0) return undefined;
    const reason = `${others} of ${rows.length} rows of a list without status are not completed.`;
    return { subject: isPhotos ? "photos" : "protocols", observed: true, reason };
  },
  observe: async function* observe(tools) {
    for (const id of (await externalIds(tools)).slice(0, 3))
      for (const list of openParts(tools, LISTS))
        yield* list === "photos" ? observePhotos(tools, id) : observeProtocols(tools, id);
  },
  readings: { every: true, "completed-only": false },
});

async function* observeProtocols(tools: ExperimentTools, id: string): Observing {
  const path = storePath(id, "protocols");
  const base = await getInRange(tools, "protocols", path, largestPage(path));
  yield undefined;
  const isCompleted = rowsOf(base).every(({ status }) => status === "completed");
  if (!isOk(base) || rowsOf(base).length === 0 || !isCompleted) return;
  for (const status of OTHERS) {
    const found = await storeOf(tools).get(path, { ...base.query, status });
    const [row] = rowsOf(found);
    const times = timesIn(row ?? {}).toSorted((a, b) => instantOf(a) - instantOf(b));
    const [first, last = first] = [times[0], times.at(-1)];
    if (!isOk(found) || first === undefined || last === undefined) continue;
    // a list that ends early may lack others, so both are asked about the times of one of them
    const near = { ...base.query, from: shiftTime(first, -MARGIN), to: shiftTime(last, MARGIN) };
    const again = await tools.ask(storeOf(tools), path, near, { fresh: true });
    const own = await storeOf(tools).get(path, { ...near, status });
    const isLeftOut = rowsOf(again).every((other) => other.status === "completed");
    const hasStatus = control(
      "a range around the times of a found protocol contains it",
      rowsOf(own).length > 0 && rowsOf(own).every((other) => other.status === status),
    );
    const isWhole = control("the list has one page", (bodyOf(again).nextCursor ?? null) === null);
    const reason = `The list without status lacks the protocols with the status ${status}.`;
    const controls = [hasStatus, isWhole, succeeds(again)] as const;
    yield observation("protocols", !isLeftOut, reason, controls, base, own, again);
    return;
  }
}

/** Looks for photos that are not completed, of protocols that are not completed. */
async function* observePhotos(tools: ExperimentTools, id: string): Observing {
  const path = storePath(id, "photos");
  const base = await getInRange(tools, "photos", path, largestPage(path));
  // only protocols have this status
  const found = await storeOf(tools).get(path, { ...base.query, status: "processing" });
  yield undefined;
  const others = photosIn(found).filter(
    (row) => typeof row.status === "string" && row.status !== "completed",
  );
  const key = findUniqueProperty(others, PHOTO_IDS);
  const status = others[0]?.status;
  if (!isOk(found) || key === undefined || typeof status !== "string") return;
  const again = await tools.ask(storeOf(tools), path, base.query, { fresh: true });
  const all = keysOf(photosIn(again), key);
  const listed = keysOf(others, key).filter((photo) => all.includes(photo));
  // a photo may show another status than the one that the parameter compares with
  const own = listed.length === 0 ? found : await storeOf(tools).get(path, { ...base.query, status });
  if (listed.length > 0 && !keysOf(photosIn(own), key).some((photo) => listed.includes(photo))) return;
  const isWhole = control("the list has one page", all.length < maxLimit(path), again);
  const reason = `The list without status ${listed.length > 0 ? "has" : "lacks"} photos of protocols in processing.`;
  yield observation("photos", listed.length > 0, reason, [isWhole, succeeds(found), succeeds(again)]);
}
