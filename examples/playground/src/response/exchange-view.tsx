import type { Exchange } from "../exchange.ts";
import { statusClass } from "../panel/journal-panel.tsx";
import { JsonView } from "./json-view.tsx";

/** One request with its response. The last one is expanded. */
export function ExchangeView({ exchange, isLast }: { exchange: Exchange; isLast: boolean }) {
  const { method, url, status, headers, failure, duration, requestBody } = exchange;
  return (
    <details class="exchange" open={isLast}>
      <summary>
        <span class={statusClass(status)}>{status ?? "no response"}</span> {method}{" "}
        <span class="wire">{shortened(url)}</span>
        {duration !== null && <span class="meaning"> {Math.round(duration)} ms</span>}
      </summary>
      {failure !== null && <p class="fault">{failure}</p>}
      {headers.length > 0 && (
        <table class="headers">
          <caption>Response headers</caption>
          <tbody>
            {headers.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {requestBody !== null && <JsonView title="Request body" text={pretty(requestBody)} />}
      <ResponseBody exchange={exchange} />
    </details>
  );
}

function ResponseBody({ exchange: { body, status, failure } }: { exchange: Exchange }) {
  if (body !== null && body !== "") return <JsonView title="Response body" text={pretty(body)} />;
  if (status === null || failure !== null) return null;
  return (
    <p class="note">{body === "" ? "The response has no body." : "The response body has not arrived yet."}</p>
  );
}

/** Indents JSON; returns anything else unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The path and query of a URL. */
function shortened(url: string): string {
  const { pathname, search } = new URL(url);
  return decodeURIComponent(`${pathname}${search}`);
}
