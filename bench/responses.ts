/** The responses of the servers and stubs in this folder. */

export const token = "bench-token-0123456789";

/** Has the form of a key of the fleet API. */
export const key = `bench_${"0123456789abcdef".repeat(4)}`;

export function storeNumber(number: number) {
  return {
    storeId: `0b6f3c1e-52d4-4a0b-8f2e-${String(number).padStart(12, "0")}`,
    externalId: `S-${number}`,
    name: `Store ${number}`,
    location: "Aleje Jerozolimskie 54, Warszawa",
    regionId: "5d0a8e62-1c57-4b1f-9a3e-2f4c6b8d0e17",
    storeType: "Kiosk",
    openingTimes: [{ weekday: 0, from: "06:00", to: "22:00" }],
    protocolScheduleId: "c7d1e5a0-3b2f-4d68-b0a4-91e8f7c6d5b4",
    protocolCronEnabled: true,
    onboardingComplete: true,
    loginCode: "482913",
  };
}

export const store = storeNumber(1);

/** The body of `PUT /v1/stores/{externalId}`. */
export const storeUpsert = {
  name: "Store 1",
  storeType: "Kiosk",
  location: "Aleje Jerozolimskie 54, Warszawa",
  onboardingComplete: true,
} as const;

/** Whether a response is a store. */
export function isStore(response: unknown): boolean {
  return typeof (response as { storeId?: unknown } | null)?.storeId === "string";
}

/** Whether a response is a page of 100 stores. */
export function isFullPage(response: unknown): boolean {
  const items = (response as { items?: unknown } | null)?.items;
  return Array.isArray(items) && items.length === 100 && items.every(isStore);
}

/** The stores of a page, with the `id` that openai and stripe use as cursor. */
export function storesOfPage(page: number, size: number) {
  return Array.from({ length: size }, (_, at) => {
    const one = storeNumber(page * size + at + 1);
    return { id: one.externalId, ...one };
  });
}
