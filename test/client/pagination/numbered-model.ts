/** A server of any numbered list, written from fleet 4, Shared list parameters. */
export interface NumberedModel {
  rows: readonly object[];
  /** `whole`: a list of which the contract shows only the path has no pages, whatever is requested. */
  shape: "paged" | "whole";
  /** Runs before each response; it may change the rows. */
  before?: (rows: object[], request: number) => void;
}

export function numberedServer({ rows, shape, before }: NumberedModel): (url: string) => Promise<Response> {
  const all = [...rows];
  let requests = 0;
  return async (url) => {
    requests += 1;
    before?.(all, requests);
    const { searchParams: query } = new URL(url);
    const version = "v1";
    if (shape === "whole") return new Response(JSON.stringify({ data: all, meta: { version } }));
    const currentPage = Number(query.get("page") ?? 1);
    const limit = Number(query.get("limit") ?? 50);
    const totalPages = Math.ceil(all.length / limit);
    const pagination = {
      currentPage,
      totalPages,
      totalCount: all.length,
      hasNextPage: currentPage < totalPages,
      hasPreviousPage: currentPage > 1,
    };
    const data = all.slice((currentPage - 1) * limit, currentPage * limit);
    return new Response(JSON.stringify({ data, meta: { version, pagination } }));
  };
}
