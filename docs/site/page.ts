/** A page of the site that is written in Markdown. */
export interface Page {
  /** Below the package's root, of the file that links lead to. */
  source: string;
  /** Below the folder that the pages are gathered in. */
  path: string;
  /** The heading in the site's navigation. */
  group: string;
  title: string;
  text: string;
}

/** Returns the pages of each group, in their order. */
export function groupPages(pages: readonly Page[]): Map<string, Page[]> {
  const groups = new Map<string, Page[]>();
  for (const page of pages) groups.set(page.group, [...(groups.get(page.group) ?? []), page]);
  return groups;
}
