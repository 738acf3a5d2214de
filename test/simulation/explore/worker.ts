/** Explores in a separate process what main.ts asks for, one task after the other. */
import { explore, type Extent } from "./explore.ts";

export interface Task {
  readonly feature: string;
  readonly data: number;
  readonly extent: Extent;
}

process.on("message", ({ feature, data, extent }: Task) => {
  void explore(feature, data, extent).then((explored) => process.send?.(explored));
});
