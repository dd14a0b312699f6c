// Shows the lines of the title that the pointer or the keyboard is at, and dims the others.
"use strict";

for (const graph of document.querySelectorAll("[data-graph]")) {
  const lines = [...graph.querySelectorAll("[data-ends]")];

  function light(node) {
    graph.classList.toggle("asked", node !== undefined);
    for (const line of lines) line.classList.toggle("lit", node !== undefined && line.dataset.ends.split(" ").includes(node));
  }

  const at = (event) => event.target.closest("[data-node]")?.dataset.node;
  for (const kind of ["pointerover", "focusin"]) graph.addEventListener(kind, (event) => light(at(event)));
  for (const kind of ["pointerleave", "focusout"]) graph.addEventListener(kind, () => light());
}
