import { control } from "../controls.ts";
import type { Exchange } from "../exchange.ts";
import { experiment } from "../experiment.ts";

function limitedAt(api: "store" | "fleet") {
  return (exchange: Exchange) => {
    if (exchange.api !== api || exchange.status !== 429) return undefined;
    const isOwn = control("the request has a number", exchange.n > 0);
    return { observed: true, reason: "A request got status 429.", controls: [isOwn] as const };
  };
}

const LIMITED = {
  cost: 1,
  needs: "more requests than a limit allows; that there is no limit cannot be seen",
  assumes: "The 429 comes from the service and not from a proxy before it.",
  readings: { none: false, "too-many-requests": true },
} as const;

export const storeRate = experiment({
  gap: "limits.store-rate",
  ...LIMITED,
  examine: limitedAt("store"),
});

export const fleetRate = experiment({
  gap: "limits.fleet-rate",
  ...LIMITED,
  examine: limitedAt("fleet"),
});
