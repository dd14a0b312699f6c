// Which columns of a file hold the two concepts of a pair.
export const PAIR = ["left", "right"];
// What a column is called that numbers the rows, and holds none of the two concepts.
const NUMBERING = /^(id|ids|no|nr|num|number|index|row|line|key|#|)\.?$/i;

// How the columns have one of a name, as the server finds it: maybe with blanks around it or other capitals; null
// where there is none, or where several differ in nothing else.
export function written(name, columns) {
  if (columns.includes(name)) return name;
  const trimmed = columns.filter((column) => column.trim() === name);
  const alike = trimmed.length ? trimmed : columns.filter((column) => column.trim().toLowerCase() === name);
  return alike.length === 1 ? alike[0] : null;
}

// Whether both columns of the pair are among some.
export const hasPair = (columns) => PAIR.every((name) => written(name, columns) !== null);

// Whether the text of a cell is a number, or empty.
export const isNumber = (cell) => /^\s*[-+]?[\d.,]*\s*$/.test(cell);

// The two columns of the pair: those called left and right, else the first that do not number the rows, by what they
// are called or by holding nothing but numbers; such columns only where there are no others.
export function pairOf(names, rows) {
  // A number of JSON is a page id; in a table all is text, and ids are not read.
  const numbered = (cell) => typeof cell === "string" && isNumber(cell);
  const numbers = (place) => rows.length > 0 && rows.every((row) => numbered(row[place] ?? ""));
  const numbering = (name, place) => NUMBERING.test(name.trim()) || numbers(place);
  const likely = [...names.filter((name, place) => !numbering(name, place)), ...names.filter(numbering)];
  const found = PAIR.map((name) => written(name, names));
  const rest = likely.filter((name) => !found.includes(name));
  return found.map((name) => name ?? rest.shift() ?? names[0]);
}

// Whether the numbers of a table have commas for decimals: cells of its first rows do, or none says otherwise where
// semicolons part them, as programs do that write decimals so.
export function hasDecimalCommas({ separator, rows }) {
  const cells = rows.filter(Array.isArray).flat().map((cell) => cell.trim());
  const has = (sign) => cells.some((cell) => sign.test(cell));
  return separator !== "," && (has(/^[-+]?\d+,\d+$/) || (separator === ";" && !has(/^[-+]?\d+\.\d+$/)));
}
