import { useState } from "preact/hooks";

/** Code that can be copied. */
export function CodeView({ code }: { code: string }) {
  const [copied, setCopied] = useState("");
  return (
    <div class="code">
      <div class="bar">
        <h3 id="code-title">The call in TypeScript</h3>
        <button
          type="button"
          class="quiet"
          disabled={code === ""}
          onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(code))}
        >
          {copied === code && code !== "" ? "Copied" : "Copy"}
        </button>
      </div>
      <pre tabIndex={0} aria-labelledby="code-title" role="region">
        <code data-testid="code">{code}</code>
      </pre>
    </div>
  );
}
