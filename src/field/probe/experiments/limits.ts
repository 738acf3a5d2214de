import { control } from "../controls.ts";
import type { Exchange } from "../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../experiment.ts";

function limitedAt(api: "store" | "fleet") {
  return (exchange: Exchange): ExperimentResult<boolean> | undefined => {
    if (exchange.api !== api || exchange.status !== 429) return undefined;
    const isOwn = control("the request has a number", exchange.n > 0);
    return observation(exchange.path, true, "A request got status 429.", [isOwn], exchange);
  };
}

const LIMITED = {
  cost: 1,
  needs: "more requests than a limit allows; that there is no limit cannot be seen",
  assumes: "The 429 comes from the service and not from a proxy before it.",
  readings: {
    none: (isLimited: boolean) => !isLimited,
    "too-many-requests": (isLimited: boolean) => isLimited,
  },
} as const;

export const storeRate = experiment<"limits.store-rate", boolean>({
  gap: "limits.store-rate",
  ...LIMITED,
  examine: limitedAt("store"),
});

export const fleetRate = experiment<"limits.fleet-rate", boolean>({
  gap: "limits.fleet-rate",
  ...LIMITED,
  examine: limitedAt("fleet"),
});
