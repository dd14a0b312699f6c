// Completes titles while they are typed: a combobox with a list, as the ARIA practices describe it.
// Without this script the page works as well; only the list is missing.
"use strict";

for (const input of document.querySelectorAll("[data-complete]")) {
  const list = document.createElement("ul");
  let active = -1;
  let pending = null;
  let timer = 0;

  list.id = `${input.id}-titles`;
  list.className = "listbox";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Matching titles");
  input.after(list);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  input.setAttribute("aria-expanded", "false");

  function close() {
    clearTimeout(timer);
    pending?.abort();
    active = -1;
    list.hidden = true;
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

  function show(titles) {
    list.replaceChildren(
      ...titles.map((title, at) => {
        const option = document.createElement("li");
        option.id = `${list.id}-${at}`;
        option.textContent = title;
        option.dir = "auto";
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        // Before the field loses the focus, which would close the list.
        option.addEventListener("pointerdown", (event) => {
          event.preventDefault();
          choose(title);
        });
        return option;
      }),
    );
    active = -1;
    list.hidden = titles.length === 0;
    input.setAttribute("aria-expanded", String(titles.length > 0));
    input.removeAttribute("aria-activedescendant");
  }

  async function complete() {
    const typed = input.value.trim();
    pending?.abort();
    if (typed === "") return close();
    pending = new AbortController();
    try {
      const query = new URLSearchParams({ q: typed.slice(0, 255), limit: "8" });
      const answer = await fetch(`concepts/search?${query}`, { signal: pending.signal });
      if (answer.ok) show((await answer.json()).concepts.map((concept) => concept.title));
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(complete, 120);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active < 0 ? -1 : active - 1);
    else if (event.key === "Enter" && active >= 0) choose(list.children[active].textContent);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
}
