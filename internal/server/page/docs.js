// Forms to try the operations of the API: method, address and body, and the server's answer.

import { element } from "./dom.js";

const longest = 20000; // number of characters of an answer to show

let token = "";

// shown returns an answer as text: JSON with line breaks, other text unchanged, and for anything else its size.
async function shown(answer) {
  const type = answer.headers.get("Content-Type") ?? "";
  if (!/json|text|xml/.test(type)) return `${(await answer.blob()).size} bytes of ${type}`;
  let text = await answer.text();
  try {
    text = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // lines of JSON, or not JSON
  }
  return text.length > longest ? `${text.slice(0, longest)}\n…` : text;
}

// form returns the form of an operation.
function form({ method, address, body }) {
  const where = element("input", { value: address, ariaLabel: "Address", spellcheck: false });
  const sent = element("textarea", { value: body ?? "", rows: 3, spellcheck: false, ariaLabel: "Body" });
  const secret = element("input", { type: "password", value: token, autocomplete: "off" });
  const answer = element("pre", { tabIndex: 0, ariaLabel: "Answer", role: "region", hidden: true });
  const send = async (event) => {
    event.preventDefault();
    token = secret.value.trim();
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    if (body) headers["Content-Type"] = "application/json";
    try {
      const got = await fetch(where.value, { method, headers, body: body && sent.value });
      answer.textContent = `${got.status} ${got.statusText}\n\n${await shown(got)}`;
    } catch (error) {
      answer.textContent = error.message;
    }
    answer.hidden = false;
  };
  const f = element("form", {}, element("label", {}, `${method} `, where), ...(body ? [sent] : []),
    element("label", {}, "Token, if the server has one ", secret), element("button", {}, "Send"), answer);
  f.addEventListener("submit", send);
  return f;
}

for (const details of document.querySelectorAll("details.try")) {
  details.addEventListener("toggle", () => details.append(form(details.dataset)), { once: true });
}
