import { StoreClient, type StoreClientOptions, type StoreShapes } from "../../../src/client/store/index.ts";
import { type Responder, json, type SentRequest, stubFetch } from "../core/stub-fetch.ts";

/** A token whose base64 and URL forms differ from itself. */
export const token = "tok-4f9a+/=~?&Zq7";

export const from = "2026-01-01T00:00:00Z";
export const to = "2026-01-02T00:00:00+02:00";
export const range = { from, to };
export const uuid = "11111111-1111-1111-1111-111111111111";

/** A store client with a stub `fetch`, which by default responds with data that are valid for any operation. */
export function stubClient<const Shapes extends StoreShapes = object>(
  response: Responder = () => json(anyBody),
  options: Partial<StoreClientOptions<Shapes>> = {},
): { client: StoreClient<Shapes>; sent: SentRequest[] } {
  const { fetch, sent } = stubFetch(response);
  const client = new StoreClient<Shapes>({
    baseUrl: "https://store.example/base/",
    token,
    fetch,
    ...options,
  });
  return { client, sent };
}

export const store = {
  storeId: uuid,
  externalId: "S-1",
  name: "One",
  location: null,
  regionId: null,
  storeType: "Kiosk",
  openingTimes: [],
  protocolScheduleId: uuid,
  protocolCronEnabled: true,
  onboardingComplete: true,
  loginCode: "1234",
};

/** Valid as the response of every operation under `validate: "envelope"`. */
export const anyBody = { ...store, items: [], images: [], nextCursor: null };
