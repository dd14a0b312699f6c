// Answers on their way to the server: kept in the browser until the server has acknowledged them.
//
// Each is an entry of its own, so that two tabs never overwrite one another's; its name begins with when it was
// given, so that the order is kept. An answer carries a key of its own: sent twice, it counts once.

const FIRST_WAIT = 1000;
const PROBE = "wort annotation?"; // no owner's
const LONGEST_WAIT = 30000;
const TAKEN = "taken";
const REFUSED = "refused";
const LATER = "later";
export const ENDED = "ended";
export const ENDS = [403, 404, 410];
const REFUSES = [400, 409, 413, 422];

// Where the browser keeps nothing, the page does, as long as it is open.
class Memory {
  #kept = new Map();
  names() {
    return [...this.#kept.keys()];
  }
  get(name) {
    return this.#kept.get(name) ?? null;
  }
  set(name, text) {
    this.#kept.set(name, text);
  }
  remove(name) {
    this.#kept.delete(name);
  }
}

class Kept {
  names() {
    return Object.keys(localStorage);
  }
  get(name) {
    return localStorage.getItem(name);
  }
  set(name, text) {
    localStorage.setItem(name, text);
  }
  remove(name) {
    localStorage.removeItem(name);
  }
}

export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID(); // pages without TLS have none
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export class Outbox {
  #given = 0;
  #wait = 0;
  #timer = null;
  #sending = false;
  #stopped = false;

  // ``owner``: whose answers these are, the address of the annotator's page. ``told``: has ``taken(answer,
  // receipt)``, ``refused(answer, problem)``, ``ended(problem)``, ``changed()`` and ``ahead()``: how many items the
  // answer to an answer is to bring.
  constructor(owner, address, told) {
    this.prefix = `wort annotation ${owner} `;
    this.address = address;
    this.told = told;
    this.lasting = true;
    this.late = false; // something keeps the first answer from being taken
    this.store = new Kept();
    try {
      this.store.set(PROBE, "");
      this.store.remove(PROBE);
    } catch {
      this.#forget();
    }
    addEventListener("online", () => this.send());
    addEventListener("storage", () => this.told.changed());
    addEventListener("beforeunload", (event) => {
      if (!this.lasting && this.waiting.length) event.preventDefault();
    });
  }

  get waiting() {
    return this.store
      .names()
      .filter((name) => name.startsWith(this.prefix))
      .sort()
      .map((name) => ({ name, answer: JSON.parse(this.store.get(name) ?? "null") }))
      .filter((entry) => entry.answer);
  }

  get stopped() {
    return this.#stopped;
  }

  put(answer) {
    const when = String(Date.now()).padStart(15, "0");
    const name = `${this.prefix}${when} ${String(this.#given++).padStart(6, "0")} ${answer.key}`;
    try {
      this.store.set(name, JSON.stringify(answer));
    } catch {
      // No room is left: what waits moves into the page.
      const before = this.waiting;
      this.#forget();
      for (const entry of before) this.store.set(entry.name, JSON.stringify(entry.answer));
      this.store.set(name, JSON.stringify(answer));
    }
    this.told.changed();
    this.send();
  }

  // Sends what waits, one after the other, until all is taken or something keeps it.
  async send() {
    if (this.#sending || this.#stopped) return;
    this.#sending = true;
    clearTimeout(this.#timer);
    try {
      for (let next = this.waiting[0]; next && !this.#stopped; next = this.waiting[0]) {
        const { outcome, body, after } = await this.#sent(next.answer);
        if (outcome === LATER) {
          this.late = true;
          this.#wait = Math.min(LONGEST_WAIT, Math.max(FIRST_WAIT, 2 * this.#wait));
          this.#timer = setTimeout(() => this.send(), Math.max(this.#wait, after));
          break;
        }
        this.late = false;
        this.#wait = 0;
        if (outcome === ENDED) {
          this.#stopped = true;
          this.late = true;
          this.told.ended(body);
          break;
        }
        this.store.remove(next.name);
        if (outcome === TAKEN) this.told.taken(next.answer, body);
        else this.told.refused(next.answer, body);
      }
    } finally {
      this.#sending = false;
      this.told.changed();
    }
  }

  async #sent(answer) {
    let response;
    try {
      response = await fetch(`${this.address}?ahead=${this.told.ahead()}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(answer),
      });
      const body = await response.json();
      return { outcome: outcomeOf(response.status, body), body, after: afterOf(response) };
    } catch {
      // No network, no server, or an answer of something in between: it may have been taken, and is sent again.
      return { outcome: LATER, body: null, after: 0 };
    }
  }

  #forget() {
    this.store = new Memory();
    this.lasting = false;
  }
}

export function outcomeOf(status, body) {
  if (status === 200) return TAKEN;
  // Something in between may answer so, too; what is not ours is no answer.
  const ours = String(body?.type).startsWith("urn:wort:problem:");
  if (ours && REFUSES.includes(status)) return REFUSED;
  // The link was withdrawn, or the project is closed: what waits stays, should that change.
  if (ours && ENDS.includes(status) && !String(body.type).endsWith(":not-found")) return ENDED;
  return LATER;
}

function afterOf(response) {
  return response.ok ? 0 : 1000 * (Number(response.headers.get("Retry-After")) || 0);
}
