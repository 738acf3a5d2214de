import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { key } from "../responses.ts";

/** The part of octokit that a paginated list needs. */
const PagingOctokit = Octokit.plugin(paginateRest);

export function openOctokit(baseUrl: string): InstanceType<typeof PagingOctokit> {
  return new PagingOctokit({ baseUrl, auth: key });
}
