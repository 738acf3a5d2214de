/**
 * Returns the power by which processor time grows with the input: 1 is linear, 2 is quadratic. Other work on the machine
 * only adds time, so the least of three measurements counts.
 */
export function growth(work: (factor: number) => void): number {
  return Math.min(measure(work), measure(work), measure(work));
}

function measure(work: (factor: number) => void): number {
  const time = (factor: number): number => {
    const times = Array.from({ length: 5 }, () => {
      const start = process.cpuUsage();
      work(factor);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    });
    return Math.min(...times);
  };
  time(1);
  return Math.log(time(8) / Math.max(time(1), 50)) / Math.log(8);
}
