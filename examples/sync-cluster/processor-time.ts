import { readdirSync, readFileSync } from "node:fs";

/** The unit of time in /proc: 10 ms. */
const tick = 10;

/** Returns the processor time in ms of this process and all processes that it started. Works only on Linux. */
export function processorTime(): number {
  const processes = new Map<number, { parent: number; time: number }>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const read = readProcess(name);
    if (read !== undefined) processes.set(Number(name), read);
  }
  const isOurs = (id: number): boolean => {
    if (id === process.pid) return true;
    const parent = processes.get(id)?.parent;
    return parent !== undefined && parent !== 0 && isOurs(parent);
  };
  return [...processes].reduce((sum, [id, { time }]) => (isOurs(id) ? sum + time : sum), 0);
}

function readProcess(id: string): { parent: number; time: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // after the name, which can contain any character: state, parent, …; user, system, and the same of ended children
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), time: ticks * tick };
  } catch {
    return undefined; // it has just ended
  }
}
