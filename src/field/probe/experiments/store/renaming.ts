import { isAnswer } from "../../controls.ts";
import { bodyOf, isOk } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { storeOf } from "../../experiment-tools.ts";
import { storePath } from "../../../routes.ts";
import { isAcceptedWithout, updatableStore } from "./writes.ts";

export const bodyExternalId = experiment({
  gap: "stores.body-external-id",
  cost: 2,
  after: ["stores.null-store-type", "stores.omitted-fields"],
  needs: "a scratch store",
  assumes: "No other client changes the scratch store.",
  observe: async function* observe(tools) {
    const { scratch, isStored } = await updatableStore(tools);
    // an ID that was not read before, so that no cache knows it
    const externalId = `${scratch.externalId}-${tools.marker}-${tools.uuid().slice(0, 4)}`;
    const exchange = await scratch.put(await scratch.full({ externalId }));
    const returnedId = bodyOf(exchange).externalId;
    const other = await storeOf(tools).get(storePath(externalId), {}, { fresh: true });
    const isRenamed = isOk(other);
    if (isRenamed) await scratch.rename(externalId);
    else if (isOk(exchange) && returnedId !== scratch.externalId) await scratch.findName();
    else scratch.confirmName();
    const observed = { status: exchange.status, isSame: returnedId === scratch.externalId, isRenamed };
    const outcome = isRenamed ? "which renamed the store" : "the store kept its ID";
    const reason = `An update with another externalId: status ${exchange.status}, ${outcome}.`;
    const controls = [isStored, await isAcceptedWithout(scratch, exchange), isAnswer(exchange)] as const;
    yield observation(scratch.path, observed, reason, controls, exchange, other);
  },
  readings: {
    "path-wins": { status: 200, isSame: true, isRenamed: false },
    renames: { status: 200, isSame: false, isRenamed: true },
    rejected: { status: 400, isRenamed: false },
  },
});
