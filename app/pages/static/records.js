// Reads records from text that arrives piece by piece: cells of a table (RFC 4180), or objects a line.

// A line before all records that tells a spreadsheet what stands between cells, as the server understands it.
const SEPARATOR_TOLD = /^"?sep=([!#$%&*,.:;^|~\t])"?[ \t]*(?:\r?\n|\r?$)/i;

// What the first line of a table says that stands between cells; null where it says nothing of it.
export const separatorTold = (text) => SEPARATOR_TOLD.exec(text)?.[1] ?? null;

// Lines with faulty quotes, of which so many are looked behind.
const LOOKED_BEHIND = 20;

export class Table {
  constructor(delimiter) {
    this.delimiter = delimiter;
    this.faults = 0;
    this.text = "";
    this.cell = "";
    this.cells = [];
    this.quoted = this.closed = this.faulty = false;
    this.begun = false;
    this.first = true;
  }

  // The records that end within the next piece, each an array of strings.
  *push(text) {
    for (const letter of text) {
      this.text += letter;
      if (this.faulty) {
        if (letter === "\n") yield* this.#mended();
      } else if (this.quoted && !this.closed) {
        if (letter === '"') this.closed = true;
        else this.cell += letter;
      } else if (letter === '"' && this.closed) {
        this.cell += letter;
        this.closed = false;
      } else if (letter === '"' && this.cell === "") {
        this.quoted = this.begun = true;
      } else if (letter === this.delimiter) {
        this.#end();
        this.begun = true;
      } else if (letter === "\n") {
        if (this.first && separatorTold(this.text)) this.#record();
        else if (this.begun) yield this.#record();
        else this.text = "";
        this.first = false;
      } else if (letter !== "\r") {
        this.faulty = this.closed;
        this.cell += letter;
        this.begun = true;
      }
    }
  }

  // The record that ends with the text, without a newline.
  *finish() {
    while (this.begun) {
      if (this.faulty || (this.quoted && !this.closed)) yield* this.#mended();
      else yield this.#record();
    }
  }

  // Where a quote is never closed, or something stands behind a closed one, only its own line is at fault, as the
  // server sees it: a record of one cell. The lines that it took in are read again.
  *#mended() {
    const [line, ...others] = this.text.split("\n");
    const record = this.#record();
    if (this.faults === LOOKED_BEHIND) return yield record;
    this.faults += 1;
    yield [line.replace(/\r$/, "")];
    yield* this.push(others.join("\n"));
  }

  #end() {
    this.cells.push(this.cell);
    this.cell = "";
    this.quoted = this.closed = false;
  }

  #record() {
    this.#end();
    const record = this.cells;
    this.cells = [];
    this.text = "";
    this.begun = this.faulty = false;
    return record;
  }
}

export class Lines {
  constructor() {
    this.rest = "";
  }

  // The lines that end within the next piece, parsed; a line that is no object is null.
  *push(text) {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop();
    for (const line of lines) if (line.trim()) yield parsed(line);
  }

  *finish() {
    if (this.rest.trim()) yield parsed(this.rest);
  }
}

function parsed(line) {
  try {
    const value = JSON.parse(line);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
