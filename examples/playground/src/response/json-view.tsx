import { useId } from "preact/hooks";

/** A string, such as JSON, in a region that scrolls. */
export function JsonView({ title, text }: { title: string; text: string }) {
  const id = useId();
  return (
    <>
      <h3 id={id}>{title}</h3>
      <pre tabIndex={0} role="region" aria-labelledby={id} class="json">
        <code>{text}</code>
      </pre>
    </>
  );
}
