import { scopes as known } from "../../../../../generated/fleet.operations.ts";
import { largestPage } from "../../../routes.ts";
import { succeeds } from "../../controls.ts";
import type { Exchange } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { fleetOf } from "../../experiment-tools.ts";
import { readableList } from "./data.ts";
import { isForbidden, refusalOf, scopesIn } from "./narrow-keys.ts";

/** A part of the question: no run sends a write that it expects to be refused. */
const WRITE = "a write";

export const forbiddenDetails = experiment({
  gap: "errors.forbidden-details",
  cost: 1,
  needs: "two requests that a key may not send",
  assumes: "Two refusals show the form of all.",
  everyEntity: true,
  parts: [WRITE],
  mayVary: true,
  examine: (exchange) => {
    if (!isForbidden(exchange)) return undefined;
    const observed = scopesIn(exchange) !== undefined;
    const reason = `A 403 ${observed ? "lists" : "does not list"} the scopes.`;
    const subject = exchange.method === "GET" ? `${exchange.as} ${exchange.path}` : WRITE;
    return { subject, observed, reason };
  },
  observe: async function* observe(tools) {
    for (const service of tools.narrow) {
      await refusalOf(service);
      yield undefined;
    }
  },
  readings: { always: true, absent: false },
});

const REVIEWED: readonly string[] = ["users:read", "analytics:read"];
const PLANNED: readonly string[] = ["reports:read", "webhooks:manage"];
const NAMED: ReadonlySet<string> = new Set([...known, ...REVIEWED, ...PLANNED]);

function findListed(exchange: Exchange, isWanted: (scope: string) => boolean) {
  const scope = isForbidden(exchange) ? scopesIn(exchange)?.find(isWanted) : undefined;
  if (scope === undefined) return undefined;
  return { subject: exchange.as, observed: true, reason: `A 403 lists the scope ${scope} of the key.` };
}

export const reviewScopes = experiment({
  gap: "keys.review-scopes",
  cost: 1,
  needs: "a key with a scope that is under review",
  assumes: "The scopes that a 403 lists are those of the key.",
  examine: (exchange) => findListed(exchange, (scope) => REVIEWED.includes(scope)),
  readings: { refused: false, granted: true },
});

export const unknownScopes = experiment({
  gap: "keys.unknown-scopes",
  cost: 1,
  needs: "a key with a scope that the contract does not name",
  assumes: "The scopes that a 403 lists are those of the key.",
  examine: (exchange) => findListed(exchange, (scope) => !NAMED.has(scope)),
  readings: { refused: false, ignored: true },
});

export const hexCase = experiment({
  gap: "keys.hex-case",
  cost: 1,
  needs: "a key with capital letters among its digits",
  assumes: "The service compares the whole key.",
  observe: async function* observe(tools) {
    if (!/[A-F]/.test(fleetOf(tools).target.secret.slice(-64))) return;
    const path = await readableList(tools);
    const exchange = await tools.ask(fleetOf(tools), path, largestPage(path));
    const reason = "A key with capital letters was accepted.";
    yield observation(exchange.path, true, reason, [succeeds(exchange)]);
  },
  readings: { any: true, "lower-only": false },
});
