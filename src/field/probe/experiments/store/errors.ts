import { bodyOf } from "../../exchange.ts";
import { experiment } from "../../experiment.ts";
import { storeOf } from "../../experiment-tools.ts";
import { objectOf, objectsIn } from "../../../../wire/json.ts";
import { STORES, storePath } from "../../../routes.ts";
import { firstStore } from "./data.ts";

export const issueCodes = experiment({
  gap: "errors.issue-codes",
  cost: 0.5,
  needs: "an error with issues",
  assumes: "The issues of two different errors have the form of all issues.",
  everyEntity: true,
  mayVary: true,
  examine: (exchange) => {
    if (exchange.api !== "store" || exchange.status !== 400) return undefined;
    const issues = objectsIn(objectOf(bodyOf(exchange).error).issues);
    if (issues.length === 0) return undefined;
    const given = issues.filter(({ code }) => typeof code === "string").length;
    const reason = `${given} of ${issues.length} issues of a 400 carry a code.`;
    return { subject: exchange.operation ?? "", observed: { given, absent: issues.length - given }, reason };
  },
  observe: async function* observe(tools) {
    await storeOf(tools).get(storePath(await firstStore(tools), "protocols"));
    yield undefined;
    await storeOf(tools).get(STORES, { limit: "0" });
    yield undefined;
  },
  readings: {
    given: ({ given, absent }) => given > 0 && absent === 0,
    absent: { given: 0 },
  },
});

export const codePresence = experiment({
  gap: "errors.code-presence",
  cost: 1,
  needs: "two errors",
  assumes: "Errors with the statuses 400, 401 and 404 have the form of all errors.",
  // a run sends no wrong token, but recorded traffic can have a 401
  parts: ["400", "401", "404"],
  mayVary: true,
  examine: (exchange) => {
    if (exchange.api !== "store" || exchange.status < 400 || exchange.status >= 500) return undefined;
    const { code } = objectOf(bodyOf(exchange).error);
    const reason = `An error with status ${exchange.status} ${code === undefined ? "has no code" : "has a code"}.`;
    return { subject: String(exchange.status), observed: code, reason };
  },
  observe: async function* observe(tools) {
    await storeOf(tools).get(storePath(tools.marker));
    yield undefined;
    await storeOf(tools).get(STORES, { limit: "0" });
    yield undefined;
  },
  readings: { present: (code) => typeof code === "string", absent: (code) => code === undefined },
});

const LISTED: ReadonlySet<number> = new Set([400, 401, 404, 429]);

export const otherStatuses = experiment({
  gap: "errors.other-statuses",
  cost: 1,
  needs: "an error with a status that the contract does not list; that none exists cannot be seen",
  assumes: "The error comes from the service and not from a proxy before it.",
  examine: (exchange) => {
    const isOther = exchange.api === "store" && exchange.status >= 400 && !LISTED.has(exchange.status);
    return isOther ? { observed: true, reason: `An error had the status ${exchange.status}.` } : undefined;
  },
  readings: { listed: false, any: true },
});
