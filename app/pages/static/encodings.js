// Whether a file is text as the server reads it, and what it is instead.

// How the files of spreadsheets begin, new and old, and how their names end.
const WORKBOOKS = [[0x50, 0x4b, 3, 4], [0xd0, 0xcf, 0x11, 0xe0]];
const NAMED = /^(xls[xmb]?|ods|numbers)$/;

// Whether a file whose name ends so is one of a spreadsheet.
export const isWorkbook = (suffix) => NAMED.test(suffix);

// What is said of such a file.
export const workbook = (file) => `${file.name} is a workbook of a spreadsheet. Save it there as “CSV UTF-8”, and choose that file.`;

// The text of the bytes that a file begins with, without a mark of its encoding. Throws where it is not UTF-8, which
// the server could not read either; what is cut off at the end of the bytes is no fault of theirs.
export function strictly(bytes, file) {
  const head = new Uint8Array(bytes);
  if (WORKBOOKS.some((mark) => mark.every((byte, place) => head[place] === byte))) throw new Error(workbook(file));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: file.size > bytes.byteLength });
  } catch {
    throw new Error(`${file.name} is not UTF-8. Save it as UTF-8 (in a spreadsheet, as “CSV UTF-8”), and choose it again.`);
  }
}
