// Whether the first row of a table names its columns, or is a pair already.
import { hasPair, isNumber, pairOf } from "./columns.js";
import { understood } from "./names.js";

// What columns of pairs, and of what is known of them, are usually called, maybe with a number or a letter behind.
const USUAL = new RegExp(
  `^(${[
    "left right one other first second source target from to head tail start end subject object query document",
    "word term concept name title page article entity item topic node label text phrase mention pair keyword tag",
    "category class type kind group description definition meaning synonym url link score value rating mean human",
    "similarity relatedness note comment language date time",
  ]
    .join(" ")
    .replaceAll(" ", "s?|")}s?)?[ _.-]*(\\d+|[a-z])?$`,
  "i",
);

// The share of names that have capitals, where titles stand in a file.
const TITLED = 0.9;

// Why the first of ``rows`` is a pair, as the end of a sentence; null where it names columns or nobody knows. The
// pair of a table without names stands in its first two columns.
export async function headless([first, ...others]) {
  const pair = first.slice(0, 2);
  const [left, right] = pairOf(first, others);
  if (hasPair(first) || left !== pair[0] || right !== pair[1]) return null;
  if (first.some((cell) => isNumber(cell) && cell.trim())) return "it has a number where a column would have a name";
  const below = (place) => others.map((row) => row[place] ?? "");
  if (first.some((cell, place) => others.length && !isNumber(cell) && below(place).every(isNumber))) return null;
  const names = [...below(0), ...below(1)];
  const again = pair.find((name) => names.includes(name));
  if (again !== undefined) return `“${again}” stands in a row below, too`;
  if (pair.some((name) => USUAL.test(name.trim()))) return null;
  // Titles have capitals, and what stands over them mostly none.
  const capital = (name) => !/^\p{Ll}/u.test(name);
  const titled = names.length > 0 && names.filter(capital).length >= TITLED * names.length;
  if (titled && !pair.some(capital)) return null;
  const [found] = await understood([pair]);
  if (!found) return null;
  const known = pair.filter((_, place) => ["ok", "ambiguous"].includes([found.left, found.right][place].status));
  if (known.length === 2) return `“${pair[0]}” and “${pair[1]}” are concepts`;
  return titled && pair.every(capital) && known.length ? `“${known[0]}” is a concept, written as those below` : null;
}
