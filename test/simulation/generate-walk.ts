/** Generates the way in which a program walks over any list. */
import type { Random } from "../models/random.ts";
import type { JsonObject, WalkStep } from "./scenario.ts";

type WalkStyle = Omit<WalkStep, "do" | "method" | "path" | "query">;

/** @param other what makes the query another one */
export function walkStyle(random: Random, other: JsonObject): WalkStyle {
  const by = random.pick(["items", "pages", "pages", "pages", "array"] as const);
  if (by === "array")
    return random.chance(0.3) ? { by, stop: { after: random.integer(1, 8), how: "break" } } : { by };
  const ahead = random.chance(0.4) ? { ahead: random.pick([1, 2, 3, 5]) } : {};
  const pause = random.chance(0.2) ? { pause: random.pick([1, 30, 400]) } : {};
  const style = { by, ...ahead, ...pause };
  if (by === "pages" && random.chance(0.4)) {
    const kills = Array.from({ length: random.integer(1, 3) }, () => random.integer(1, 2));
    return { ...style, kills, ...(random.chance(0.15) ? { changed: other } : {}) };
  }
  if (!random.chance(0.2)) return style;
  return { ...style, stop: { after: random.integer(1, 5), how: random.pick(["break", "throw"]) } };
}
