import type { Page } from "./walk.ts";

interface Props {
  pages: readonly Page[];
  isWalking: boolean;
  onResume: (resume: string) => void;
}

/** The pages of a walk, each with its pagination fields and the token that resumes after it. */
export function PageTable({ pages, isWalking, onResume }: Props) {
  const items = pages.reduce((sum, page) => sum + page.items.length, 0);
  if (pages.length === 0)
    return <p class="note">{isWalking ? "Loading the first page…" : "No pages loaded yet."}</p>;
  return (
    <div>
      <h3 id="pages-title">
        {pages.length === 1 ? "1 page" : `${pages.length} pages`}, {items} items
      </h3>
      <div class="scrolled" tabIndex={0} role="region" aria-labelledby="pages-title">
        <table class="pages" data-testid="pages">
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col">Items</th>
              <th scope="col">First and last item</th>
              <th scope="col">{"pagination" in (pages[0] ?? {}) ? "Pagination" : "nextCursor"}</th>
              <th scope="col">resume</th>
            </tr>
          </thead>
          <tbody>
            {pages.map((page, index) => (
              <Row key={index} page={page} number={index + 1} isWalking={isWalking} onResume={onResume} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Row({ page, number, isWalking, onResume }: { page: Page; number: number } & Omit<Props, "pages">) {
  const { items, resume } = page;
  return (
    <tr>
      <th scope="row">{number}</th>
      <td class="number">{items.length}</td>
      <td>{items.length === 0 ? "" : `${nameOf(items[0])} … ${nameOf(items.at(-1))}`}</td>
      <td>{nextOf(page)}</td>
      <td>
        {resume === null ? (
          <span class="meaning">null (last page)</span>
        ) : (
          <>
            <code class="token" title={resume}>
              {resume}
            </code>{" "}
            <button type="button" class="quiet" disabled={isWalking} onClick={() => onResume(resume)}>
              Resume after page {number}
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

function nextOf(page: Page): string {
  if (!("pagination" in page)) return page.nextCursor ?? "null (last page)";
  const { currentPage, totalPages, totalCount } = page.pagination;
  const drift = page.drift.map(({ kind }) => kind).join(", ");
  return `${currentPage} of ${totalPages}, ${totalCount} items in total${drift === "" ? "" : `; drift: ${drift}`}`;
}

/** The ID or name that identifies an item for a reader. */
function nameOf(item: unknown): string {
  const properties = item as Record<string, unknown>;
  const names = ["externalId", "protocolId", "photoId", "plateNumber", "label", "id", "vehicleId"];
  const store = properties.protocolId === undefined ? names : names.slice(1);
  const name = store.map((property) => properties[property]).find((value) => typeof value === "string");
  return typeof name === "string" ? name : "unnamed item";
}
