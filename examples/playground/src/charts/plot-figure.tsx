import type { PlotOptions } from "@observablehq/plot";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  options: PlotOptions;
  /** A sentence that describes the chart. */
  summary: string;
}

/** A chart with its summary. The table beside it contains the same numbers. */
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
  return <div class="drawing" ref={place} tabIndex={0} role="region" aria-label="Chart" />;
}

/** Gives the chart the role of an image with the summary as its name. The legend is hidden from screen readers. */
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
      // Plot draws a mark again, with its label, when the pointer enters or leaves a cell
      new MutationObserver(() => removeMarkLabels(svg)).observe(svg, { childList: true, subtree: true });
    }
  }
}

/** Removes the labels of groups without a role, which ARIA does not allow. The names are kept in `data-mark`. */
function removeMarkLabels(svg: SVGSVGElement): void {
  for (const mark of svg.querySelectorAll("g[aria-label]")) {
    mark.setAttribute("data-mark", mark.getAttribute("aria-label") ?? "");
    mark.removeAttribute("aria-label");
    mark.removeAttribute("aria-description");
  }
}
