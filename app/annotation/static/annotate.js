// One item after the other without loading the page, by keys, and on when the network is gone.
import { ENDED, ENDS, Outbox, outcomeOf, uuid } from "./outbox.js";

const at = (id) => document.getElementById(id);
const page = at("annotate");
const place = at("place");
const ENOUGH = 3;
const LOOK_AGAIN = 30000; // milliseconds
const SOON = 1000;
const AHEAD = 4; // items at hand: they can be judged while the network is gone

let cards = [];
let shown = null;
let asking = false;
let resting = false;
let last = null; // what the server said last: state, panel, progress
let retry = null;
let wait = 1000;
let acknowledged = 0;
let again = null;
let session = Number(page.dataset.session);

const outbox = new Outbox(location.pathname, page.dataset.answers, {
  taken(answer, receipt) {
    if (receipt.told) tell(receipt.told);
    acknowledged += 1;
    if (receipt.next) return arrived(receipt.next);
    if (last) {
      const { given, left } = last.progress;
      last.progress = { given: given + 1, left: Math.max(0, left - 1), undo: receipt.undo };
    }
    if (!last || (!shown && !cards.length && !resting)) more();
  },
  refused(answer, problem) {
    tell({ text: problem.detail, amiss: true });
    cards = cards.filter((card) => !same(card, answer));
    if (shown && same(shown, answer)) shown = null;
    more();
  },
  ended(problem) {
    tell({ text: problem.detail, amiss: true });
    cards = [];
    shown = null;
    place.replaceChildren();
  },
  changed,
  ahead: () => (cards.length + (shown ? 1 : 0) < ENOUGH ? AHEAD : 0),
});

begin();

function begin() {
  const form = place.querySelector("form");
  if (form) {
    const fields = new FormData(form);
    const card = { item: Number(fields.get("item")), turn: Number(fields.get("turn")), html: place.innerHTML };
    // It may have been answered here already, while the network was gone.
    if (answered(card)) place.replaceChildren();
    else show(card, false);
  }
  for (const link of document.querySelectorAll("[data-rest-link]"))
    link.addEventListener("click", (event) => {
      event.preventDefault();
      pause();
    });
  at("undo-form").addEventListener("submit", undo);
  at("keys-choice").hidden = false;
  at("use-keys").checked = remembered() !== "no";
  at("use-keys").addEventListener("change", () => remember(at("use-keys").checked ? "yes" : "no"));
  document.addEventListener("keydown", pressed);
  // A page that the browser kept aside shows what is past.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  changed();
  outbox.send();
  more();
}

function same(one, other) {
  return one.item === other.item && one.turn === other.turn;
}

function answered(card) {
  return outbox.waiting.some((entry) => same(entry.answer, card));
}

function show(card, focus = true) {
  shown = card;
  place.innerHTML = card.html;
  place.querySelector("form").addEventListener("submit", submitted);
  for (const button of place.querySelectorAll("button")) button.addEventListener("click", once);
  if (focus) place.querySelector("h1").focus({ preventScroll: true });
}

// The second click of a double one was meant for the item that is gone.
function once(event) {
  if (event.detail > 1) event.preventDefault();
}

function submitted(event) {
  event.preventDefault();
  if (!shown) return;
  const fields = new FormData(event.target, event.submitter);
  const answer = { key: uuid(), item: shown.item, turn: shown.turn };
  if (fields.has("unknown")) {
    answer.unknown = true;
  } else if (fields.has("judgement")) {
    answer.judgement = Number(fields.get("judgement"));
  } else if (fields.get("best") === fields.get("worst")) {
    tell({ text: "The most and the least related cannot be the same.", amiss: true });
    return;
  } else {
    answer.best = Number(fields.get("best"));
    answer.worst = Number(fields.get("worst"));
  }
  tell(null);
  shown = null;
  session += 1;
  outbox.put(answer);
  if (session >= Number(page.dataset.length)) pause();
  else next();
}

// Shows what is to be judged next, or says why nothing is.
function next() {
  if (shown || resting || outbox.stopped) return;
  cards = cards.filter((card) => !answered(card));
  const card = cards.shift();
  if (card) show(card);
  else if (outbox.waiting.length) say("Until your answers are sent, no further item is at hand.");
  else if (last && last.state !== "ask") put(last.panel);
  else if (last || !place.querySelector("h1")) say("The next item is on its way.");
}

function say(text) {
  const paragraph = document.createElement("p");
  paragraph.className = "card";
  paragraph.textContent = text;
  place.replaceChildren(paragraph);
}

function put(html) {
  if (place.innerHTML === html) return;
  place.innerHTML = html;
  place.querySelector("h1").focus({ preventScroll: true });
}

function pause() {
  if (shown) cards.unshift(shown);
  shown = null;
  resting = true;
  session = 0;
  place.replaceChildren(at("rest").content.cloneNode(true));
  place.querySelector("button").addEventListener("click", () => {
    resting = false;
    next();
    if (!shown) more();
  });
  place.querySelector("h1").focus();
}

// What the server says is to be judged next.
function arrived(said) {
  last = said;
  wait = 1000;
  for (const card of said.cards) {
    const here = (shown && same(shown, card)) || cards.some((each) => same(each, card)) || answered(card);
    if (!here && cards.length < AHEAD) cards.push(card);
  }
  progress();
  if (said.state !== "ask") {
    // What stood ready is not asked any more, and who has nothing to do needs no break from it.
    cards = [];
    shown = null;
    resting = false;
  }
  if (!shown) next();
  clearTimeout(again);
  if (said.state === "wait") again = setTimeout(more, LOOK_AGAIN);
  // What is asked is all here already, answered and not sent, or before another tab.
  else if (said.state === "ask" && !shown && !resting) again = setTimeout(more, SOON);
}

// Asks for items, until some come.
async function more() {
  if (asking || outbox.stopped) return;
  asking = true;
  const before = acknowledged;
  clearTimeout(retry);
  let said = null;
  try {
    const response = await fetch(page.dataset.items);
    if (response.ok) said = await response.json();
    else if (ENDS.includes(response.status) && outcomeOf(response.status, await response.json()) === ENDED) location.reload();
  } catch {
    // Gone; it is asked again.
  }
  asking = false;
  if (said && before !== acknowledged) {
    more(); // it says what was so before an answer that was taken meanwhile
  } else if (said) {
    arrived(said);
  } else {
    wait = Math.min(30000, 2 * wait);
    retry = setTimeout(more, wait);
  }
}

async function undo(event) {
  event.preventDefault();
  if (at("undo").disabled) return;
  tell(null);
  at("undo").disabled = true;
  try {
    const response = await fetch(`${page.dataset.answers}/undo`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ judgement: last?.progress.undo ?? Number(at("undo-form").elements.judgement.value) }) });
    const said = await response.json();
    if (!response.ok) {
      tell({ text: said.detail, amiss: true });
    } else {
      last = said;
      resting = false;
      session = said.progress.session;
      const back = said.cards[0];
      if (shown && !same(shown, back)) cards.unshift(shown);
      cards = cards.filter((card) => !same(card, back));
      show(back);
      tell({ text: "Taken back: answer it again." });
    }
  } catch {
    tell({ text: "The server cannot be reached now, so nothing was taken back. Try again later.", amiss: true });
  }
  progress();
}

function tell(told) {
  const box = at("told");
  box.hidden = !told;
  box.classList.toggle("amiss", Boolean(told?.amiss));
  box.querySelector("p").textContent = told?.text ?? "";
}

function progress() {
  if (last) {
    const { given, left } = last.progress;
    at("given").textContent = `${given.toLocaleString("en")} answered${left ? `, about ${left.toLocaleString("en")} to go` : ""}`;
    at("bar").max = Math.max(1, last.progress.given + last.progress.left);
    at("bar").value = last.progress.given;
    at("undo").disabled = last.progress.undo === null || outbox.waiting.length > 0;
  } else if (outbox.waiting.length) {
    at("undo").disabled = true;
  }
}

// Says how many answers wait, once they do so for longer than the server usually takes.
function changed() {
  progress();
  const number = outbox.waiting.length;
  const box = at("waits");
  clearTimeout(box.timer);
  if (!number) {
    box.hidden = true;
    if (!shown) next();
    return;
  }
  if (box.hidden && !outbox.late) {
    box.timer = setTimeout(changed, 1000);
    return;
  }
  const kept = outbox.lasting ? "kept in this browser until then, even if you close the page" : "kept as long as this page is open";
  box.querySelector("p").textContent = `${number === 1 ? "1 answer waits" : `${number} answers wait`} to be sent, and ${number === 1 ? "is" : "are"} ${kept}.`;
  box.hidden = false;
}

function pressed(event) {
  if (!at("use-keys").checked || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select")) return;
  if (event.key === "u") {
    event.preventDefault();
    at("undo").click();
    return;
  }
  if (!shown) return;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? (/^\d$/.test(event.key) ? event.key : null);
  const form = place.querySelector("form");
  const chosen = form.querySelector(".best") ? chooses(event, form, digit) : said(event, form, digit);
  if (chosen) {
    event.preventDefault();
    chosen.click();
  }
}

// Of best-worst scaling: the choice among the most related, or with Shift among the least; Enter sends.
function chooses(event, form, digit) {
  if (event.key === "d") return form.querySelector("[name=unknown]");
  if (event.key === "Enter" && event.target.matches("input[type=radio]")) return form.querySelector(".answers button");
  if (event.key === "Enter" && !event.target.closest("a, button, summary")) return form.querySelector(".answers button");
  if (digit === null) return null;
  const place = (Number(digit) + 9) % 10;
  return form.querySelectorAll(event.shiftKey ? ".worst" : ".best")[place] ?? null;
}

function said(event, form, digit) {
  if (event.shiftKey) return null;
  const value = { y: "1", n: "0" }[event.key.toLowerCase()];
  if (event.key === "d") return form.querySelector("[name=unknown]");
  if (value !== undefined && page.dataset.kind === "binary") return form.querySelector(`button[value="${value}"][name=judgement]`);
  return digit === null ? null : form.querySelector(`button[value="${digit}"][name=judgement]`);
}

function remembered() {
  try {
    return localStorage.getItem("wort annotation keys");
  } catch {
    return null;
  }
}

function remember(choice) {
  try {
    localStorage.setItem("wort annotation keys", choice);
  } catch {
    // It holds for this page alone.
  }
}
