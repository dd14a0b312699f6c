// Copies the address of the page, which holds all that is asked. The browser lets only secure pages copy.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) break;
  const told = document.querySelector("[data-copied]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      told.textContent = "Copied";
    } catch {
      told.textContent = "The browser did not allow it: copy the address above.";
    }
    setTimeout(() => (told.textContent = ""), 4000);
  });
}
