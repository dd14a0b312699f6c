// Reads records from text that arrives piece by piece: cells of a table (RFC 4180), or objects a line.

export class Table {
  constructor(delimiter) {
    this.delimiter = delimiter;
    this.cell = "";
    this.cells = [];
    this.quoted = false;
    this.closed = false;
    this.begun = false;
  }

  // The records that end within the next piece, each an array of strings.
  *push(text) {
    for (const letter of text) {
      if (this.quoted && !this.closed) {
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
        if (this.begun) yield this.#record();
      } else if (letter !== "\r") {
        this.cell += letter;
        this.begun = true;
      }
    }
  }

  // The record that ends with the text, without a newline.
  *finish() {
    if (this.begun) yield this.#record();
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
    this.begun = false;
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
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
