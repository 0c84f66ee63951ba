// The open documents, kept in this tab of the browser, so that a reload of the page opens them again. Nothing is sent:
// sessionStorage ends with the tab. It has a key a document, so that a decision writes one document and not all.

const key = (index) => `document ${index}`;

// store writes the open documents and reports whether there is room for them. States are those of LinkedDocument.state.
export function store(states) {
  clear();
  try {
    states.forEach((state, i) => sessionStorage.setItem(key(i), JSON.stringify(state)));
    sessionStorage.setItem("documents", String(states.length));
    return true;
  } catch { // the quota, 5 MB in most browsers
    clear();
    return false;
  }
}

// update writes the state of one of the documents that were stored.
export function update(index, state) {
  if (sessionStorage.getItem("documents") === null) return;
  try {
    sessionStorage.setItem(key(index), JSON.stringify(state));
  } catch {
    clear();
  }
}

// stored returns the states that were stored, none if there are none.
export function stored() {
  const count = Number(sessionStorage.getItem("documents"));
  return Array.from({ length: count }, (_, i) => JSON.parse(sessionStorage.getItem(key(i))));
}

export function clear() {
  const count = Number(sessionStorage.getItem("documents"));
  for (let i = 0; i < count; i++) sessionStorage.removeItem(key(i));
  sessionStorage.removeItem("documents");
}
