import { guides } from "virtual:guides";
import { isNarrow } from "./narrow.ts";

/** A description of the two APIs, with links to the guides. */
export function About() {
  if (!isNarrow.value) return <Text />;
  return (
    <details class="about-narrow">
      <summary>About the two APIs, and the docs</summary>
      <Text />
    </details>
  );
}

function Text() {
  return (
    <div class="about">
      <p>
        The <b>store API</b> manages the stores of a chain: contacts, expositions, protocols with photos, and
        the fill rates of displays.
      </p>
      <p>
        The <b>fleet API</b> manages vehicles: inspections with their templates, damages, and the assignments
        of drivers.
      </p>
      <p>
        A reference server of both runs in this page; nothing is sent over the network. Docs:{" "}
        {guides.map(({ file, title }, index) => (
          <span key={file}>
            {index > 0 && ", "}
            <a href={file} target="_blank" rel="noreferrer">
              {title}
            </a>
          </span>
        ))}
        .
      </p>
    </div>
  );
}
