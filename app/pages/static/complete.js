// Completes titles while they are typed: a combobox with a list, as the ARIA practices describe it.
// Without this script the page works as well; only the list is missing.
"use strict";

for (const input of document.querySelectorAll("[data-complete]")) {
  const list = document.createElement("ul");
  const told = document.createElement("span");
  let active = -1;
  let pending = null;
  let timer = 0;

  list.id = `${input.id}-titles`;
  list.className = "listbox";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Matching titles");
  told.className = "hidden";
  told.setAttribute("role", "status");
  input.after(list, told);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");

  function close() {
    clearTimeout(timer);
    pending?.abort();
    active = -1;
    list.hidden = true;
    told.textContent = "";
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function mark(index) {
    const options = [...list.children];
    active = (index + options.length) % options.length;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === active)));
    input.setAttribute("aria-activedescendant", options[active].id);
    options[active].scrollIntoView({ block: "nearest" });
  }

  function choose(title) {
    input.value = title;
    close();
  }

  // What was typed may lead to a title through a redirect, or only be near to it: the list says which.
  function note(found) {
    if (found.redirect) return `redirected from ${found.redirect}`;
    if (found.alias) return `also called ${found.alias}`;
    return found.match === "near" ? "perhaps meant" : "";
  }

  function option(found, at) {
    const made = document.createElement("li");
    const title = document.createElement("span");
    made.id = `${list.id}-${at}`;
    made.dataset.title = found.title;
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", "false");
    title.textContent = found.title;
    title.dir = "auto";
    title.lang = input.dataset.language;
    made.append(title);
    if (note(found)) {
      const small = document.createElement("small");
      small.textContent = note(found);
      made.append(" ", small);
    }
    made.addEventListener("click", () => choose(found.title));
    return made;
  }

  function show(concepts) {
    list.replaceChildren(...concepts.map(option));
    active = -1;
    list.hidden = concepts.length === 0;
    told.textContent = concepts.length === 1 ? "1 title" : `${concepts.length || "No"} titles`;
    input.setAttribute("aria-expanded", String(concepts.length > 0));
    input.removeAttribute("aria-activedescendant");
  }

  async function complete() {
    const typed = input.value.trim();
    pending?.abort();
    if (typed === "") return close();
    pending = new AbortController();
    try {
      const query = new URLSearchParams({ q: typed.slice(0, 255), limit: "8" });
      const answer = await fetch(`v1/concepts/search?${query}`, { signal: pending.signal });
      if (answer.ok) show((await answer.json()).concepts);
      else close();
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(complete, 120);
  });
  // The field keeps the focus, without which the list would close before the click that chooses. Nothing is chosen when
  // something is pressed: a finger may be about to scroll, and another button of the mouse opens a menu.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active < 0 ? -1 : active - 1);
    else if (event.key === "Enter" && active >= 0) choose(list.children[active].dataset.title);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
}
