// Sends a file of pairs to be scored, shows how far it is, and offers what came back.
import { avoid, forgetPrefix } from "./added.js";
import { hasDecimalCommas, hasPair, PAIR, pairOf, written } from "./columns.js";
import { element, grid, grouped } from "./drawn.js";
import { isWorkbook, strictly, workbook } from "./encodings.js";
import { headless } from "./header.js";
import { columnsOf } from "./parquet.js";
import { Lines, separatorTold, Table } from "./records.js";
import { Unknown } from "./unknown.js";

const KINDS = {
  csv: { type: "text/csv", separators: [",", ";", "\t"], records: (separator) => new Table(separator) },
  tsv: { type: "text/tab-separated-values", separators: ["\t"], records: (separator) => new Table(separator) },
  jsonl: { type: "application/x-ndjson", separators: [null], records: () => new Lines() },
  parquet: { type: "application/vnd.apache.parquet" },
};
const SUFFIXES = { csv: "csv", tsv: "tsv", tab: "tsv", jsonl: "jsonl", ndjson: "jsonl", parquet: "parquet", pq: "parquet" };
// Bytes that are looked at for the columns, and rows that are shown of the file and of the answer; of those
// without a score there are more, since they are to be corrected.
const HEAD = 65536;
const SHOWN = 8;
const UNSCORED = 100;
const SCORED = ["ok", "identical"];
// The added columns that hold words.
const TOLD = /^(status|error|used|(left|right)_(title|matched|alternatives|sense|unknown))$/;

const at = (id) => document.getElementById(id);
// What the page shows a shell before a file is chosen.
const COMMAND = at("command").textContent;
// A size as it is said of files, in the units of the limit; what would be rounded to 1,024 KiB is a MiB.
function sized(bytes) {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${grouped(bytes)} bytes`;
  const [size, unit] = bytes < 1023.5 * 1024 ? [bytes / 1024, "KiB"] : [bytes / 1048576, "MiB"];
  return `${size < 9.95 ? size.toFixed(1) : grouped(Math.round(size))} ${unit}`;
}
let chosen = null;
// How many files were chosen: of one that was not the last, nothing more is shown.
let choices = 0;
let running = null;
let address = null;

at("pairs").hidden = false;
at("file").addEventListener("change", () => choose(at("file").files[0]));
at("sample").addEventListener("click", async () => {
  try {
    const answer = await fetch("sample.csv");
    if (!answer.ok) return await refused(answer);
    choose(new File([await answer.blob()], "sample.csv"));
  } catch (error) {
    fail("The sample could not be fetched", said(error));
  }
});
at("pairs").addEventListener("submit", (event) => {
  event.preventDefault();
  if (chosen && !running) score();
});
at("header").addEventListener("change", ask);
at("keep").addEventListener("click", () => {
  at("header").click();
  at("header").focus();
});
// Who chooses a column has seen which were taken.
for (const name of PAIR) at(name).addEventListener("change", () => (at("taken").hidden = true));
// Of terms, senses are always chosen.
at("terms")?.addEventListener("change", () => (at("resolve").disabled = at("terms").checked));
// The command follows whatever is chosen or typed.
for (const kind of ["input", "change"]) at("pairs").addEventListener(kind, () => chosen && instruct());
at("cancel").addEventListener("click", () => running?.abort());
for (const kind of ["dragenter", "dragover"]) at("drop").addEventListener(kind, (event) => over(event, true));
for (const kind of ["dragleave", "drop"]) at("drop").addEventListener(kind, (event) => over(event, false));
at("drop").addEventListener("drop", (event) => choose(event.dataTransfer.files[0]));

function over(event, is) {
  event.preventDefault();
  at("drop").classList.toggle("over", is);
}

// Looks into the file for its columns, so that the two of the pair can be named.
async function choose(file) {
  if (!file || running) return;
  clear();
  const turn = (choices += 1);
  const suffix = file.name.split(".").pop().toLowerCase();
  // Parquet is read where an extra is installed.
  const accepted = at("file").accept.split(",").filter((kind) => kind.startsWith("."));
  if (isWorkbook(suffix)) return fail("Not a file of pairs", workbook(file));
  if (!accepted.includes(`.${suffix}`)) return fail("Not a file of pairs", `${file.name} ends in none of ${accepted.join(", ")}. Save the pairs as one of these.`);
  const kind = KINDS[SUFFIXES[suffix]];
  let read;
  try {
    read = file.size ? await begun(file, kind) : { columns: [], rows: [] };
    if (read.columns.length < 2) return fail("Not a file of pairs", `${file.name} ${lacking(file, kind, read, accepted)}`);
  } catch (error) {
    return fail("The file cannot be read", said(error));
  }
  const table = Array.isArray(read.rows[0]);
  const why = table ? await headless(read.rows) : null;
  if (turn !== choices) return;
  chosen = { file, kind, why, ...read };
  at("header").checked = why === null;
  for (const id of ["header", "decimal"]) at(id).closest("p").hidden = !table;
  at("decimal").checked = table && hasDecimalCommas(read);
  ask();
  at("chosen").textContent = `${file.name}, ${sized(file.size)}`;
  at("options").hidden = false;
  instruct();
}

// What is wrong with a file of which no two columns are known.
function lacking(file, kind, { columns, rows }, accepted) {
  const table = kind !== KINDS.parquet;
  if (!file.size || (table && !rows.length)) return "is empty: there are no pairs in it.";
  if (Array.isArray(rows[0]) && columns[0].includes("|")) return `has cells that are parted by |: save it with ${kind.separators.length > 1 ? "commas, semicolons or tabs" : "tabs"} between them.`;
  return `has no two columns. The first line names them, with commas, semicolons or tabs between (.csv) or tabs (.tsv); in .jsonl it is the first object${accepted.includes(".parquet") ? ", in .parquet the schema" : ""}.`;
}

// The columns of a file and its first rows, read as the server reads them: by what separates the pair.
async function begun(file, kind) {
  // Its rows are not read here.
  if (kind === KINDS.parquet) return { separator: null, columns: await columnsOf(file), rows: [] };
  const head = strictly(await file.slice(0, HEAD).arrayBuffer(), file);
  const told = kind === KINDS.jsonl ? null : separatorTold(head);
  const ways = (told ? [told] : kind.separators).map((separator) => {
    const records = kind.records(separator);
    const rows = [...records.push(head)];
    if (file.size <= HEAD || !rows.length) rows.push(...records.finish());
    const columns = Array.isArray(rows[0]) ? rows[0] : Object.keys(rows.find((row) => row) ?? {});
    return { separator, columns, rows };
  });
  const named = ways.find(({ columns }) => hasPair(columns));
  return named ?? suggested(ways);
}

// What separates cells gives every row as many, and is no part of what is in them: a comma between digits is the sign
// of decimals, and what a space follows belongs to a text. The server sees it so, too.
function suggested(ways) {
  const even = ways.filter(({ rows }) => rows[0]?.length > 1 && rows.every((row) => row.length === rows[0].length));
  return even.find(({ rows }) => !rows.every(within)) ?? even[0] ?? ways.find(({ columns }) => columns.length > 1) ?? ways[0];
}

function within(row) {
  const parts = (after, before) => !after.startsWith(" ") && !(/\p{Nd}$/u.test(before) && /^\p{Nd}/u.test(after));
  return !row.slice(1).some((after, place) => parts(after, row[place]));
}

// Shows the first rows, and which two columns of them would be compared.
function ask() {
  const { file, columns, rows, why } = chosen;
  const headed = !Array.isArray(rows[0]) || at("header").checked;
  at("begins").hidden = !rows.length;
  const names = headed ? columns : columns.map((_, place) => PAIR[place] ?? `column ${place + 1}`);
  const table = headed && Array.isArray(rows[0]);
  const known = rows.slice(table ? 1 : 0).map((row) => (Array.isArray(row) ? row : names.map((name) => row?.[name])));
  const taken = headed ? pairOf(names, known) : PAIR;
  for (const [place, name] of PAIR.entries()) {
    at(name).replaceChildren(...names.map((column) => new Option(column, column)));
    at(name).value = taken[place];
    at(name).disabled = !headed;
  }
  at("begins").replaceChildren(grid(`How ${file.name} begins`, names, known.slice(0, SHOWN)));
  // The server refuses names that stand twice: it could not say which column is meant.
  const twice = headed && columns.find((name, place) => columns.indexOf(name) < place);
  const refused = typeof twice === "string";
  at("repeated").textContent = refused ? `${table ? "The first row names" : "The file has"} the column “${twice}” twice. Rename one of them.` : "";
  at("repeated").hidden = !refused;
  at("send").disabled = refused;
  at("named").hidden = !table || refused || !hasPair(columns);
  at("unnamed").hidden = !table || PAIR.some((name) => written(name, names) !== null);
  if (why !== null) at("noticed").textContent = `The first row is kept as a pair: ${why}. If it names the columns, say so above.`;
  at("noticed").hidden = headed || why === null;
  const said = headed ? `${taken[0]} and ${taken[1]}. Choose others if that is wrong.` : "the first two columns, as left and right.";
  at("taken").textContent = `Taken: ${said}`;
  at("taken").hidden = refused || (headed && hasPair(names));
}

function clear() {
  chosen = null;
  if (address) URL.revokeObjectURL(address);
  address = null;
  forgetPrefix();
  for (const id of ["options", "work", "wrong"]) at(id).hidden = true;
  at("chosen").textContent = "";
  at("command").textContent = COMMAND;
}

// Where the file goes, with what the form asks for: what it leaves as it is usual stands in no address.
function target() {
  const query = new URLSearchParams();
  for (const name of PAIR) if (at(name).value !== name) query.set(name, at(name).value);
  if (Array.isArray(chosen.rows[0]) && !at("header").checked) query.set("header", "false");
  if (!at("decimal").closest("p").hidden && at("decimal").checked) query.set("decimal", ",");
  if (at("explain").checked) query.set("explain", "true");
  if (at("terms")?.checked) query.set("terms", "true");
  else if (at("resolve").checked) query.set("ambiguous", "resolve");
  if (at("pairs").dataset.model) query.set("model", at("pairs").dataset.model);
  if (at("prefix").value) query.set("prefix", at("prefix").value);
  const said = query.toString();
  return "v1/relatedness/files" + (said && `?${said}`);
}

// What a shell has to be told to do the same with this file.
function instruct() {
  const { file, kind } = chosen;
  avoid([...at("left").options].map((option) => option.value));
  const [address, data, output] = [new URL(target(), document.baseURI).href, `@${file.name}`, scoredName(file)].map(quoted);
  at("command").textContent = `curl ${address} \\
  --header 'Content-Type: ${kind.type}' --data-binary ${data} --output ${output}`;
}

// A word of a shell: in quotes, where it has what a shell would read as more than letters.
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function scoredName(file) {
  return file.name.replace(/(\.[^.]+)$/, ".scored$1");
}

async function score() {
  const { file, kind, separator } = chosen;
  begin();
  try {
    const answer = await fetch(target(), {
      method: "POST",
      body: file,
      headers: { "Content-Type": kind.type },
      signal: running.signal,
    });
    if (!answer.ok) return await refused(answer);
    await receive(answer, file, kind, separator);
  } catch (error) {
    if (error.name === "AbortError") fail("Cancelled", "Nothing was kept of what had been scored.");
    else fail("The answer broke off", said(error));
  } finally {
    running = null;
    at("pairs").inert = false;
  }
}

function begin() {
  running = new AbortController();
  if (address) URL.revokeObjectURL(address);
  address = null;
  at("pairs").inert = true;
  for (const id of ["wrong", "counts", "suggested", "unread", "preview", "unscored", "download"]) at(id).hidden = true;
  for (const id of ["lacking", "otherwise"]) if (at(id)) at(id).hidden = true;
  for (const id of ["work", "progress", "cancel"]) at(id).hidden = false;
  at("progress").removeAttribute("value");
  at("work-title").textContent = "Scoring";
  at("rows").textContent = "The file is on its way.";
  at("work-title").focus();
}

// Keeps what arrives, and counts its rows: the answer says at its head how many there will be.
async function receive(answer, file, kind, separator) {
  const total = Number(answer.headers.get("Wort-Rows")) || 0;
  const pieces = [];
  const seen = { rows: 0, statuses: new Map(), shown: [], columns: null, unscored: [], missed: 0, unknown: new Unknown(), ...asked() };
  const records = kind.records?.(separator);
  const text = new TextDecoder();
  if (total) at("progress").max = total;
  for (const reader = answer.body.getReader(); ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    pieces.push(value);
    if (!records) continue;
    for (const record of records.push(text.decode(value, { stream: true }))) note(record, seen);
    if (total) at("progress").value = seen.rows;
    at("rows").textContent = total ? `${grouped(seen.rows)} of ${grouped(total)} rows` : `${grouped(seen.rows)} rows`;
  }
  if (!records) seen.rows = total;
  else for (const record of records.finish()) note(record, seen);
  if (total && seen.rows < total) throw new Error(`Only ${grouped(seen.rows)} of ${grouped(total)} rows came back. Try again.`);
  finish(new Blob(pieces, { type: kind.type }), file, seen);
}

function note(record, seen) {
  if (Array.isArray(record) && !seen.columns) {
    seen.columns = record;
    return;
  }
  seen.columns ??= Object.keys(record ?? {});
  const cells = Array.isArray(record) ? record : seen.columns.map((column) => record?.[column]);
  // An object has a reason only where there is one, and so the first need not have it.
  const value = (name) => (Array.isArray(record) ? record[seen.columns.indexOf(name)] : record?.[name]);
  const status = value(`${seen.prefix}status`) || "not read";
  seen.rows += 1;
  if (!SCORED.includes(status)) {
    seen.missed += 1;
    const row = [seen.rows, value(seen.left), value(seen.right), status, value(`${seen.prefix}error`)];
    if (seen.unscored.length < UNSCORED) seen.unscored.push(row);
    if (status === "unknown" && !seen.terms) seen.unknown.note(row.slice(1, 3), PAIR.map((side) => value(`${seen.prefix}${side}_title`)));
  }
  seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1);
  if (seen.shown.length < SHOWN) seen.shown.push(cells);
}

// What the columns of the answer are called that are looked at.
function asked() {
  return { left: at("left").value, right: at("right").value, prefix: at("prefix").value, own: chosen.columns, terms: Boolean(at("terms")?.checked) };
}

function finish(blob, file, seen) {
  address = URL.createObjectURL(blob);
  at("download").href = address;
  at("download").download = scoredName(file);
  at("work-title").textContent = "Scored";
  at("rows").textContent = at("told").textContent = seen.rows === 1 ? "1 row" : `${grouped(seen.rows)} rows`;
  at("counts").replaceChildren(
    ...[...seen.statuses].map(([status, number]) => element("li", element("strong", grouped(number)), ` ${status}`)),
  );
  if (seen.columns) at("preview").replaceChildren(preview(seen));
  if (seen.missed) at("unscored").replaceChildren(unscored(seen));
  for (const id of ["progress", "cancel"]) at(id).hidden = true;
  at("download").hidden = false;
  // Of Parquet, no row was looked at.
  for (const id of ["counts", "preview"]) at(id).hidden = !seen.columns;
  at("unread").textContent = `This page does not read the rows of Parquet: which have no score, and why, say the columns “${seen.prefix}status” and “${seen.prefix}error” of the file.`;
  at("unread").hidden = Boolean(seen.columns) || !seen.rows || chosen.kind !== KINDS.parquet;
  at("unscored").hidden = !seen.missed;
  // Where an excerpt is served, it may be that what was not found is left out.
  if (at("lacking")) at("lacking").hidden = !seen.statuses.has("unknown");
  const named = ["unknown", "ambiguous"].some((status) => seen.statuses.has(status));
  if (at("otherwise")) at("otherwise").hidden = seen.terms || !named;
  at("download").focus();
  suggest(seen.unknown, address);
}

// Tells of the names that are unknown most often, once the server has said what may be meant by them.
async function suggest(unknown, answered) {
  const items = await unknown.items();
  if (answered !== address || !items.length) return;
  at("nearly").replaceChildren(...items);
  at("suggested").hidden = false;
}

function preview(seen) {
  const all = seen.shown.length === seen.rows;
  const caption = all ? "All rows" : `The first ${seen.shown.length} of ${grouped(seen.rows)} rows`;
  return grid(caption, seen.columns, seen.shown, (name, place) => numeric(seen, name, place));
}

// Whether a column of the answer is an added one, behind the own ones, and one of numbers: all of these may have decimals.
// It goes by the name, since a title may look like a number.
function numeric({ own, prefix }, name, place) {
  return place >= own.length && !TOLD.test(name.slice(prefix.length));
}

// The rows that have no score, each with its number and the reason, to be corrected.
function unscored({ unscored: rows, missed, left, right }) {
  const all = missed === rows.length;
  const caption = all ? "Rows without a score, and why." : `The first ${rows.length} of ${grouped(missed)} rows without a score, and why.`;
  // A row may have several lines, and the first may name the columns; in Parquet there are rows alone.
  const lines = rows.some((row) => /^line \d/.test(row.at(-1) ?? "")) ? " Pairs are counted without a row of names, lines as your file has them." : "";
  return grid(caption + lines, ["Number of the pair", left, right, "status", "reason"], rows);
}

// A problem document says what is wrong, and what to do.
async function refused(answer) {
  const problem = await answer.json().catch(() => ({}));
  fail(problem.title ?? `The server answered ${answer.status}`, labelled(problem.detail ?? "Try again."));
}

// What programs call a parameter is called by its label in the form.
function labelled(detail) {
  return detail.replace(/`(\w+)`/g, (named, name) => {
    const label = at("pairs").querySelector(`label[for="${name}"]`);
    return label ? `“${label.textContent}”` : named;
  });
}

function fail(title, detail) {
  at("work").hidden = true;
  at("wrong-title").textContent = title;
  at("wrong-detail").textContent = detail;
  at("wrong").hidden = false;
}

function said(error) {
  return error instanceof TypeError ? "The server cannot be reached. Try again." : error.message;
}
