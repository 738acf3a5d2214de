import { bodyOf } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { objectOf, objectsIn } from "../../json.ts";
import { storeOf } from "../../experiment-tools.ts";
import { firstStore, storePath } from "./data.ts";

export const issueCodes = experiment({
  gap: "errors.issue-codes",
  consent: "read-odd",
  cost: 1,
  needs: "an error with issues",
  examine: (exchange) => {
    if (exchange.api !== "store" || exchange.status !== 400) return undefined;
    const issues = objectsIn(objectOf(bodyOf(exchange).error).issues);
    if (issues.length === 0) return undefined;
    const given = issues.filter(({ code }) => typeof code === "string").length;
    const reason = `${given} of ${issues.length} issues of a 400 carry a code.`;
    return tentativeResult({ given, absent: issues.length - given }, reason, exchange);
  },
  observe: async function* observe(tools) {
    await storeOf(tools).get("/v1/stores", { limit: "0" });
    yield undefined;
    await storeOf(tools).get(storePath(await firstStore(tools), "protocols"));
    yield undefined;
  },
  readings: {
    given: ({ given, absent }) => given > 0 && absent === 0,
    absent: ({ given }) => given === 0,
  },
});

export const codePresence = experiment({
  gap: "errors.code-presence",
  consent: "read-odd",
  cost: 1,
  needs: "two errors",
  examine: (exchange) => {
    if (exchange.api !== "store" || exchange.status < 400 || exchange.status >= 500) return undefined;
    const { code } = objectOf(bodyOf(exchange).error);
    const reason = `An error with status ${exchange.status} ${code === undefined ? "has no code" : "has a code"}.`;
    return tentativeResult(code, reason, exchange);
  },
  observe: async function* observe(tools) {
    await storeOf(tools).get(storePath(tools.marker));
    yield undefined;
    await storeOf(tools).get("/v1/stores", { limit: "0" });
    yield undefined;
  },
  readings: { present: (code) => typeof code === "string", absent: (code) => code === undefined },
});

const LISTED: ReadonlySet<number> = new Set([400, 401, 404, 429]);

export const otherStatuses = experiment({
  gap: "errors.other-statuses",
  consent: "passive",
  cost: 1,
  needs: "an error with a status that the contract does not list; that none exists cannot be seen",
  examine: (exchange) => {
    const isOther = exchange.api === "store" && exchange.status >= 400 && !LISTED.has(exchange.status);
    return isOther
      ? tentativeResult(true, `An error had the status ${exchange.status}.`, exchange)
      : undefined;
  },
  readings: { listed: (isOther) => !isOther, any: (isOther) => isOther },
});

export const storeRate = experiment({
  gap: "limits.store-rate",
  consent: "passive",
  cost: 1,
  needs: "more requests than a limit allows; that there is no limit cannot be seen",
  examine: (exchange) =>
    exchange.api === "store" && exchange.status === 429
      ? conclusiveResult(true, "A request got status 429.", exchange)
      : undefined,
  readings: { none: (isLimited) => !isLimited, "too-many-requests": (isLimited) => isLimited },
});
