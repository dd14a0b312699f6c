// The names of the columns of a Parquet file, from its footer (Thrift's compact protocol), which stands at its end.
const TRUE = 1;
const FALSE = 2;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const SET = 10;
const STRUCT = 12;
const SCHEMA = 2;
const NAME = 4;
const CHILDREN = 5;

// Names of the columns, in order; a list or a struct is one. Throws what says that it is no Parquet.
export async function columnsOf(file) {
  const tail = new DataView(await file.slice(-8).arrayBuffer());
  const length = tail.byteLength === 8 ? tail.getUint32(0, true) : 0;
  const magic = tail.byteLength === 8 ? tail.getUint32(4) : 0;
  if (magic !== 0x50415231 || length > file.size - 12) throw new Error(`${file.name} is not Parquet, or not whole.`);
  const footer = new Uint8Array(await file.slice(file.size - 8 - length, file.size - 8).arrayBuffer());
  try {
    const [root, ...elements] = new Compact(footer).struct(SCHEMA).get(SCHEMA);
    return [...children(root.get(CHILDREN), elements)];
  } catch {
    throw new Error(`${file.name} is not Parquet, or damaged.`);
  }
}

function* children(count, elements) {
  for (let at = 0; at < count; at += 1) {
    const element = elements.shift();
    yield new TextDecoder().decode(element.get(NAME));
    for (const _ of children(element.get(CHILDREN) ?? 0, elements));
  }
}

class Compact {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  // The fields of a struct, by number; those after `last` are not read.
  struct(last = Infinity) {
    const fields = new Map();
    for (let number = 0; number < last; ) {
      const head = this.byte();
      if (head === 0) break;
      number = head >> 4 ? number + (head >> 4) : this.integer();
      const kind = head & 15;
      fields.set(number, kind === TRUE || kind === FALSE ? kind === TRUE : this.value(kind));
    }
    return fields;
  }

  value(kind) {
    if (kind === BINARY) return this.take(this.varint());
    if (kind === STRUCT) return this.struct();
    if (kind === LIST || kind === SET) return this.list();
    if (kind === DOUBLE) return this.take(8);
    if (kind > DOUBLE) throw new Error("not of the protocol");
    return kind <= 3 ? this.byte() : this.integer();
  }

  list() {
    const head = this.byte();
    const size = head >> 4 === 15 ? this.varint() : head >> 4;
    if (size > this.bytes.length - this.at) throw new Error("too short");
    return Array.from({ length: size }, () => this.value(head & 15));
  }

  integer() {
    const zigzag = this.varint();
    return zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
  }

  varint() {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  take(size) {
    if (size > this.bytes.length - this.at) throw new Error("too short");
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error("too short");
    return this.bytes[this.at++];
  }
}
