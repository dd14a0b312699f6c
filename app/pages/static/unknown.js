// Names of a file that no concept has, and what may be meant by them.
import { element, grouped } from "./drawn.js";
import { understood } from "./names.js";

// Different names that are counted, names that are asked about, and those that are told of; titles suggested for each.
const COUNTED = 10000;
const [ASKED, TOLD, SUGGESTED] = [8, 5, 3];

export class Unknown {
  constructor() {
    this.sides = new Map();
  }

  // Counts the sides of a row of status unknown that have no title: which of them are unknown is asked in the end.
  note(names, titles) {
    for (const [place, name] of names.entries()) {
      if (titles[place] || typeof name !== "string" || !name.trim()) continue;
      if (this.sides.has(name) || this.sides.size < COUNTED) this.sides.set(name, (this.sides.get(name) ?? 0) + 1);
    }
  }

  // The names that are unknown most often, as items of a list; nothing where no title is near any of them.
  async items() {
    const often = [...this.sides].sort(([, one], [, other]) => other - one).slice(0, ASKED);
    const sides = (await understood(often.map(([name]) => [name, name]))).map(({ left }) => left);
    const told = often.map(([name, times], place) => ({ name, times, side: sides[place] }));
    const unknown = told.filter(({ side }) => side?.status === "unknown").slice(0, TOLD);
    if (!unknown.some(({ side }) => side.suggestions?.length)) return [];
    const others = this.sides.size - told.filter(({ side }) => side && side.status !== "unknown").length - unknown.length;
    // Of names that were not asked about, some may be ambiguous.
    const most = this.sides.size > ASKED ? "up to " : "";
    return [...unknown.map(item), ...(others ? [element("li", `and ${most}${grouped(others)} ${others === 1 ? "other" : "others"}, in the rows below`)] : [])];
  }
}

function item({ name, times, side }) {
  const often = times === 1 ? "once" : `${grouped(times)} times`;
  const titles = (side.suggestions ?? []).slice(0, SUGGESTED).flatMap((title) => [" or ", explored(title)]).slice(1);
  return element("li", "“", element("bdi", name), `”, ${often}: `, ...(titles.length ? ["perhaps ", ...titles] : ["nothing is called nearly so"]));
}

function explored(title) {
  const link = element("a", title);
  link.href = `explore?concept=${encodeURIComponent(title)}`;
  link.dir = "auto";
  return link;
}
