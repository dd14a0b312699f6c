// The columns that are added to a file, and how their names have to begin beside its own.
const form = document.getElementById("pairs");
const prefix = document.getElementById("prefix");
const told = document.getElementById("clash");
const added = JSON.parse(form.dataset.added);
// What was filled in here; null once a person has typed, whose wish it is then.
let filled = "";

prefix.addEventListener("input", () => {
  filled = null;
  told.textContent = "";
});

// Has a new file begin without what was filled in for another one; what was typed stays.
export function forgetPrefix() {
  if (filled !== null || !prefix.value) filled = prefix.value = told.textContent = "";
}

// Fills in a beginning of names where one would stand twice, which the server refuses.
export function avoid(columns) {
  if (filled === null) return;
  const ticked = (id) => document.getElementById(id)?.checked;
  const ofTerms = ticked("terms");
  const boxes = ["resolve", "explain"].filter((id) => ticked(id) && !(ofTerms && id === "resolve"));
  const names = ["always", ...boxes].flatMap((id) => (ofTerms ? added.terms : added)[id]);
  const taken = (before) => names.find((name) => columns.includes(before + name));
  let before = "";
  for (let count = 1; taken(before) !== undefined; count += 1) before = count === 1 ? "wort_" : `wort${count}_`;
  filled = prefix.value = before;
  told.textContent = before && `Your file has a column “${taken("")}” already: the names of added columns begin with “${before}”.`;
}
