// Elements of the page, and tables of records.

export function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}

export const grouped = (number) => number.toLocaleString("en");

// ``decimals``: which columns have decimals, whatever stands in the rows that are shown.
export function grid(caption, columns, records, decimals = () => false) {
  const head = element("tr", ...columns.map((column) => element("th", column)));
  for (const cell of head.children) cell.scope = "col";
  const measured = columns.map((name, place) => decimals(name, place) || records.some((cells) => LONG.test(cells[place])));
  const rows = records.map((cells) => element("tr", ...cells.map((cell, place) => element("td", shown(cell, measured[place])))));
  return element("table", element("caption", caption), element("thead", head), element("tbody", ...rows));
}

// Of a column with decimals beyond three, or of added numbers, every number has three.
const LONG = /^-?\d+\.\d{4,}(e-?\d+)?$/;
const NUMBER = /^-?\d+(\.\d+)?(e-?\d+)?$/;

function shown(cell, measured) {
  if (cell === null || cell === undefined) return "";
  const text = typeof cell === "object" ? JSON.stringify(cell) : String(cell);
  return measured && NUMBER.test(text) ? Number(text).toFixed(3).replace(/^-(?=[0.]+$)/, "") : text;
}
