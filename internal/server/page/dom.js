// DOM elements. Content from texts, dictionaries and corpora is only ever inserted into the page as text.

export const byID = (id) => document.getElementById(id);

// element returns a new element with properties, attributes (names with a hyphen, role and href) and children:
// elements, or strings as text.
export function element(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "href") e.setAttribute(name, value);
    else e[name] = value;
  }
  e.append(...children.filter((child) => child !== null && child !== undefined));
  return e;
}

// quiet returns an element for less important content.
export const quiet = (tag, ...children) => element(tag, { className: "quiet" }, ...children);

export const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

export const percent = (p) => `${Math.round(100 * p)} %`;

// title shows the name of a document, if any, in the browser tab.
export function title(name) {
  document.title = [name, "ctxnorm"].filter(Boolean).join(" · ");
}

// announce shows a message and makes screen readers read it.
export function announce(message) {
  byID("status").textContent = message;
}

export function showError(message) {
  byID("error").textContent = message;
}
