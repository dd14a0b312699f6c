// Fills in how well each annotator's judgements go with those of the rest, which takes seconds to compute.
"use strict";

const table = document.getElementById("who");
if (table) fill();

async function fill() {
  const cells = table.querySelectorAll("[data-agreement]");
  for (const cell of cells) cell.textContent = "…";
  let figures = {};
  try {
    const response = await fetch(table.dataset.figures);
    if (response.ok) figures = (await response.json()).with_the_rest;
  } catch {
    // Gone: the page says what it knew.
  }
  for (const cell of cells) {
    const figure = figures[cell.dataset.agreement];
    cell.textContent = figure == null ? "–" : figure.toFixed(2).replace(/^-(?=[0.]+$)/, "").replace("-", "−");
  }
}
