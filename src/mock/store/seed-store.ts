import type { OpeningTime, Store } from "../../../generated/store.ts";
import { storeTypes } from "../../../generated/store.enums.ts";
import { Random } from "../random.ts";

const STREETS = [
  "Aleje Jerozolimskie",
  "Długa",
  "Kościuszki",
  "Lipowa",
  "Mickiewicza",
  "Piotrkowska",
] as const;
const CITIES = ["Gdańsk", "Kraków", "Łódź", "Poznań", "Warszawa", "Wrocław"] as const;
const REGIONS = 8;

/** The store of an external ID; always the same one. */
export function seededStore(seed: number, externalId: string): Store {
  const random = new Random(seed, "store", externalId);
  const storeType = random.chance(0.1) ? null : random.pick(storeTypes);
  const city = random.pick(CITIES);
  const street = `${random.pick(STREETS)} ${random.integer(1, 120)}`;
  return {
    storeId: random.uuid(),
    externalId,
    name: `${storeType ?? "Sklep"} ${street}`,
    location: random.chance(0.1) ? null : `${street}, ${city}`,
    regionId: random.chance(0.05) ? null : new Random(seed, "region", random.integer(1, REGIONS)).uuid(),
    storeType,
    openingTimes: random.chance(0.05) ? [] : openingTimes(random),
    protocolScheduleId: new Random(seed, "schedule", random.integer(1, REGIONS)).uuid(),
    protocolCronEnabled: random.chance(0.8),
    onboardingComplete: random.chance(0.9),
    loginCode: String(random.integer(100_000, 999_999)),
  };
}

function openingTimes(random: Random): OpeningTime[] {
  const from = `0${random.integer(5, 8)}:00`;
  const to = `${random.integer(19, 23)}:30`;
  const days = random.integer(5, 7);
  return Array.from({ length: days }, (_, weekday) => ({ weekday, from, to }));
}
