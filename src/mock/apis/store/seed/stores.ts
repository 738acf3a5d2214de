import type { OpeningTime, Store } from "../../../../../generated/store.ts";
import { storeTypes } from "../../../../../generated/store.enums.ts";
import { Random } from "../../../../wire/random.ts";
import type { StoreSeedPlan } from "./plan.ts";

const STREETS = [
  "Aleje Jerozolimskie",
  "Długa",
  "Kościuszki",
  "Lipowa",
  "Mickiewicza",
  "Piotrkowska",
] as const;
const CITIES = ["Gdańsk", "Kraków", "Łódź", "Poznań", "Warszawa", "Wrocław"] as const;
const OPENS = ["05:00", "06:00", "07:00", "08:00"] as const;
const CLOSES = ["19:30", "20:30", "21:30", "22:30", "23:30"] as const;

/** Builds the store of an external ID; the same ID always has the same store. */
export function buildStore(plan: StoreSeedPlan, externalId: string): Store {
  const random = new Random(plan.seed, "store", externalId);
  const storeType = random.chance(0.1) ? null : random.pick(storeTypes);
  const city = random.pick(CITIES);
  const street = `${random.pick(STREETS)} ${random.integer(1, 120)}`;
  return {
    storeId: random.uuid(),
    externalId,
    name: `${storeType ?? "Sklep"} ${street}`,
    location: random.chance(0.1) ? null : `${street}, ${city}`,
    regionId: random.chance(0.05) ? null : random.pick(plan.regionIds),
    storeType,
    openingTimes: random.chance(0.05) ? [] : buildOpeningTimes(random),
    protocolScheduleId: random.pick(plan.scheduleIds),
    protocolCronEnabled: random.chance(0.8),
    onboardingComplete: random.chance(0.9),
    loginCode: String(random.integer(100_000, 999_999)),
  };
}

function buildOpeningTimes(random: Random): OpeningTime[] {
  const from = random.pick(OPENS);
  const to = random.pick(CLOSES);
  const days = random.integer(5, 7);
  return Array.from({ length: days }, (_, weekday) => ({ weekday, from, to }));
}
