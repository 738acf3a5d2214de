import { type Control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { isSameUuid } from "./identity.ts";
import { TIMES, isAcceptedWithout, updatableStore } from "./writes.ts";

const EVENING = { weekday: 1, from: "16:00", to: "20:00" } as const;

/** Updates that change one field each, which the service may check. */
interface CheckedWrites {
  /** `undefined` if the scratch store could not be restored. */
  readonly storeType: Exchange | undefined;
  readonly regionId: Exchange;
  /** The ID of no region. */
  readonly unknownId: string;
  readonly openingTimes: Exchange;
  /** The updates of the store are stored, and those without a change are accepted before and after the others. */
  readonly controls: readonly [Control, Control, Control];
}

/** Sends all of them once in a round, so that one update without a change shows that those before it could be accepted. */
function sendChecked(tools: ExperimentTools): Promise<CheckedWrites> {
  return tools.once("checked writes", async () => {
    const { scratch, isStored } = await updatableStore(tools);
    const plain = await scratch.set({ openingTimes: TIMES });
    const send = async (changes: object): Promise<Exchange> =>
      scratch.put(await scratch.full({ ...changes }));
    const unknownId = tools.uuid();
    const storeType = (await scratch.canRestoreType()) ? await send({ storeType: "Probe" }) : undefined;
    const regionId = await send({ regionId: unknownId });
    const openingTimes = await send({ openingTimes: [...TIMES, EVENING] });
    const refused = [storeType, regionId, openingTimes].find((one) => one !== undefined && !isOk(one));
    const isAccepted = await isAcceptedWithout(scratch, refused ?? openingTimes);
    return {
      storeType,
      regionId,
      unknownId,
      openingTimes,
      controls: [isStored, succeeds(plain), isAccepted],
    };
  });
}

const SHARED = { cost: 1.2, after: ["stores.null-store-type"] } as const;

export const unlistedValues = experiment({
  gap: "requests.unlisted-values",
  ...SHARED,
  needs: "a scratch store whose type can be put back",
  assumes: "All enumerations are checked in the same way.",
  observe: async function* observe(tools) {
    const { storeType: sent, controls } = await sendChecked(tools);
    if (sent === undefined) throw new Missing("a scratch store with a type");
    const observed = { status: sent.status, isStored: bodyOf(sent).storeType === "Probe" };
    const reason = `An update with an unlisted storeType: status ${sent.status}.`;
    yield observation(sent.path, observed, reason, [...controls, isAnswer(sent)], sent);
  },
  readings: { rejected: { status: 400 }, accepted: { status: 200, isStored: true } },
});

export const unknownReferences = experiment({
  gap: "stores.unknown-references",
  ...SHARED,
  needs: "a scratch store",
  assumes: "A random UUID is not the ID of a region, and schedules are treated like regions.",
  observe: async function* observe(tools) {
    const { regionId: sent, unknownId, controls } = await sendChecked(tools);
    const observed = { status: sent.status, isStored: isSameUuid(bodyOf(sent).regionId, unknownId) };
    const reason = `An update with an unknown region: status ${sent.status}.`;
    yield observation(sent.path, observed, reason, [...controls, isAnswer(sent)], sent);
  },
  readings: {
    stored: { status: 200, isStored: true },
    invalid: { status: 400, isStored: false },
    "not-found": { status: 404, isStored: false },
  },
});

export const openingTimes = experiment({
  gap: "stores.opening-times",
  ...SHARED,
  needs: "a scratch store",
  assumes: "Opening times that end before they begin are treated like two of one weekday.",
  observe: async function* observe(tools) {
    const { openingTimes: sent, controls } = await sendChecked(tools);
    const { openingTimes: times } = bodyOf(sent);
    const count = Array.isArray(times) ? times.length : undefined;
    const reason = `Two opening times of one weekday: status ${sent.status}, ${count ?? "no"} opening times.`;
    yield observation(sent.path, { status: sent.status, count }, reason, [...controls, isAnswer(sent)], sent);
  },
  readings: { stored: { status: 200, count: 2 }, rejected: { status: 400 } },
});
