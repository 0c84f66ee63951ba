// Browsing the dictionary: its hierarchy from the top, a search, and the details of a concept.

import * as api from "./api.js";
import { about } from "./concept.js";
import { byID, counted, element, quiet } from "./dom.js";
import { identifier } from "./links.js";

const page = 50; // number of concepts to add to a list at once
const sentences = 3; // number of corpus sentences to show

// Dictionary shows the dialog #dictionary. Wording() returns the phrase of the open mention, or an empty string if none
// is open. OnChoose(concept) chooses a concept for the mention.
export class Dictionary {
  constructor(wording, onChoose) {
    Object.assign(this, { wording, onChoose });
    byID("dictionary-search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.list(byID("dictionary-query").value.trim());
    });
    byID("dictionary-tree").addEventListener("keydown", (event) => this.keyDown(event));
  }

  // open shows the dictionary at a concept, or at its top.
  async open(id) {
    if (!byID("dictionary").open) byID("dictionary").showModal();
    byID("dictionary-concept").replaceChildren(quiet("p", "Choose a concept to see its names and where they stand."));
    byID("dictionary-query").value = "";
    await this.list("");
    if (id) await this.show(id);
  }

  // list shows the concepts that match a query, or those at the top of the hierarchy if it is empty.
  async list(query) {
    const tree = byID("dictionary-tree");
    tree.replaceChildren();
    if (!query) {
      const count = await this.fill(tree, undefined, 0);
      if (count !== undefined) this.say(`${counted(count, "concept")} at the top`);
      return;
    }
    try {
      const { concepts } = await api.search(query, page);
      tree.append(...concepts.map((c) => this.node(c)));
      this.say(`${counted(concepts.length, "concept")}${concepts.length === page ? " or more" : ""}`);
      tree.querySelector(".link")?.focus();
    } catch (error) {
      this.say(error.message);
    }
  }

  say(message) { byID("dictionary-status").textContent = message; }

  // fill appends the children of a concept, from an offset on, to a list. It returns the number of children, or
  // undefined if the server fails.
  async fill(list, below, offset) {
    try {
      const { concepts, count, next_offset: next } = await api.hierarchy(below, offset, page);
      list.append(...concepts.map((c) => this.node(c)));
      if (next !== undefined) {
        const more = element("button", { type: "button" }, `${count - next} more`);
        const item = element("li", {}, more);
        more.addEventListener("click", async () => {
          await this.fill(list, below, next);
          item.nextElementSibling?.querySelector(".link").focus();
          item.remove();
        });
        list.append(item);
      }
      return count;
    } catch (error) {
      this.say(error.message);
      return undefined;
    }
  }

  // node returns an item of the tree: a concept, and a button that requests and shows its children.
  node({ id, name, narrower }) {
    const show = element("button", { type: "button", className: "link" }, name);
    show.addEventListener("click", () => this.show(id));
    if (!narrower) return element("li", {}, show);
    const below = element("ul", { className: "tree", hidden: true });
    const properties = { type: "button", className: "toggle", "aria-expanded": "false" };
    const toggle = element("button", { ...properties, "aria-label": `${counted(narrower, "concept")} below ${name}` });
    toggle.addEventListener("click", async () => {
      below.hidden = !below.hidden;
      toggle.setAttribute("aria-expanded", String(!below.hidden));
      if (!below.hidden && below.children.length === 0) await this.fill(below, id, 0);
    });
    return element("li", {}, toggle, show, quiet("span", ` ${narrower}`), below);
  }

  // keyDown moves up and down in the tree, and shows or hides the children of a concept.
  keyDown(event) {
    const { key, target } = event;
    const shown = [...byID("dictionary-tree").querySelectorAll("button.link")].filter((b) => b.checkVisibility());
    const item = target.closest("li");
    const at = shown.indexOf(item?.querySelector(".link"));
    const toggle = item?.querySelector(":scope > .toggle");
    const open = toggle?.getAttribute("aria-expanded") === "true";
    if (key === "ArrowDown") shown[at + 1]?.focus();
    else if (key === "ArrowUp") shown[at - 1]?.focus();
    else if (key === "ArrowRight" && toggle && !open) toggle.click();
    else if (key === "ArrowLeft" && open) toggle.click();
    else if (key === "ArrowLeft") item?.parentElement.closest("li")?.querySelector(".link").focus();
    else return;
    event.preventDefault();
  }

  // show shows the details of a concept.
  async show(id) {
    const box = byID("dictionary-concept");
    try {
      const concept = await api.concept(id, sentences);
      const wording = this.wording();
      const choose = element("button", { type: "button", className: "main" }, `Choose for “${wording}”`);
      choose.addEventListener("click", () => {
        byID("dictionary").close();
        this.onChoose(concept);
      });
      const types = concept.types?.length ? ` · ${concept.types.join(", ")}` : "";
      box.replaceChildren(
        element("h3", {}, concept.name), quiet("p", identifier("concept", concept.id), types), wording ? choose : "",
        ...await about(concept, true, (other) => this.show(other)),
      );
    } catch (error) {
      box.replaceChildren(element("p", {}, error.message));
    }
  }
}
