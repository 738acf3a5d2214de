/** The largest page size of most lists. */
export const largestPage = 100;

/** Returns a page size whose edges are at other items than those of pages with this length. */
export function otherPageSize(longest: number, largest = largestPage): number {
  if (longest < 2) return 2;
  const size = Math.min(longest, largest);
  return size - 1 - Math.floor(size / 10);
}
