import type { JsonObject } from "../../../../generated/store.ts";
import type { StoreContext } from "./context.ts";

/** Returns the function that writes the URL of each photo or image of one response. gap photos.urls */
export function urlsInResponse({ readings, ids }: StoreContext): (row: JsonObject) => JsonObject {
  const reading = readings["photos.urls"];
  if (reading === "lasting") return (row) => row;
  const signature = reading === "signed" ? ids.uuid() : "";
  return (row) => {
    if (typeof row.url !== "string" || !URL.canParse(row.url)) return row;
    const url = new URL(row.url);
    if (reading === "relative") return { ...row, url: url.pathname + url.search };
    url.searchParams.set("signature", signature);
    return { ...row, url: url.href };
  };
}
