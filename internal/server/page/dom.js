// Elements. What comes from texts, dictionaries and corpora gets into the page as text alone.

export const byID = (id) => document.getElementById(id);

// element returns a new element with properties, attributes (names with a hyphen, role and href) and
// children: elements, or strings as text.
export function element(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "href") e.setAttribute(name, value);
    else e[name] = value;
  }
  e.append(...children.filter((child) => child !== null && child !== undefined));
  return e;
}

// quiet returns an element for what is less important.
export const quiet = (tag, ...children) => element(tag, { className: "quiet" }, ...children);

export const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

export const percent = (p) => `${Math.round(100 * p)} %`;

// title gives the tab of the browser the name of a document; none without one.
export function title(name) {
  document.title = [name, "ctxnorm"].filter(Boolean).join(" · ");
}

// announce says a message to people and to screen readers.
export function announce(message) {
  byID("status").textContent = message;
}

export function showError(message) {
  byID("error").textContent = message;
}
