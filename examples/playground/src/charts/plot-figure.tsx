import type { PlotOptions } from "@observablehq/plot";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  options: PlotOptions;
  /** What the drawing shows, in a sentence. */
  summary: string;
}

/** A drawing with its summary; the table beside it holds the same numbers. */
export function PlotFigure({ options, summary }: Props) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isGone = false;
    void import("@observablehq/plot").then(({ plot }) => {
      if (isGone) return;
      const drawing = plot({ ...options, className: "plot" });
      nameDrawing(drawing, summary);
      place.current?.replaceChildren(drawing);
    });
    return () => {
      isGone = true;
    };
  }, [options, summary]);
  return <div class="drawing" ref={place} tabIndex={0} role="region" aria-label="Drawing" />;
}

/** The drawing is one picture with the summary for a name; a legend says nothing that the summary does not. */
function nameDrawing(drawing: Element, summary: string): void {
  const svgs = [drawing, ...drawing.querySelectorAll("svg")].filter(
    (element) => element instanceof SVGSVGElement,
  );
  for (const svg of svgs) {
    if (!svg.classList.contains("plot")) svg.setAttribute("aria-hidden", "true");
    else {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", summary);
      removeMarkLabels(svg);
    }
  }
}

/** Plot names groups that have no role, which ARIA does not allow: the names stay for whoever looks for a mark. */
function removeMarkLabels(svg: SVGSVGElement): void {
  for (const mark of svg.querySelectorAll("g[aria-label]")) {
    mark.setAttribute("data-mark", mark.getAttribute("aria-label") ?? "");
    mark.removeAttribute("aria-label");
    mark.removeAttribute("aria-description");
  }
}
