import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";

/** The anchors and links of a page. */
interface Html {
  ids: ReadonlySet<string>;
  links: readonly string[];
}

/** The built site as its files say it is. */
export interface Site {
  pages: number;
  links: number;
  /** `page: link`, for each that leads to no page, no file or no place on its page. */
  dead: string[];
}

/** Follows every link within the site; external links are not checked. */
export function followLinks(folder: string): Site {
  const files = new Set(globSync("**/*.*", { cwd: folder }));
  const pages = new Map([...files].filter(isPage).map((path) => [path, readPage(join(folder, path))]));
  const all = [...pages].flatMap(([page, { links }]) => links.map((link) => ({ page, link })));
  const dead = all.filter(({ page, link }) => !isResolvable(page, link, pages, files));
  return { pages: pages.size, links: all.length, dead: dead.map(({ page, link }) => `${page}: ${link}`) };
}

/** The places on a page that a link can lead to. */
export function readPage(path: string): Html {
  const html = readFileSync(path, "utf8");
  const values = (attribute: RegExp): string[] =>
    [...html.matchAll(attribute)].map(([, value = ""]) => value.replaceAll("&amp;", "&"));
  return {
    ids: new Set(values(/\sid="([^"]*)"/g)),
    links: values(/\s(?:href|src)="([^"]*)"/g).filter((link) => !/^(?:https?:|data:|mailto:)/.test(link)),
  };
}

function isPage(path: string): boolean {
  return path.endsWith(".html");
}

function isResolvable(
  page: string,
  link: string,
  pages: ReadonlyMap<string, Html>,
  files: ReadonlySet<string>,
): boolean {
  const [path = "", anchor = ""] = decodeURI(link).split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path.replace(/\?.*$/, "")));
  if (!files.has(target)) return false;
  return anchor === "" || !isPage(target) || (pages.get(target)?.ids.has(anchor) ?? false);
}
