// Stores the open documents in this browser tab, so that a reload of the page can restore them. Nothing is sent to the
// server, and sessionStorage ends with the tab. Each document has its own key, so that a decision rewrites one document
// only.

const key = (index) => `document ${index}`;

// store writes the open documents and reports whether there was room for them. States come from LinkedDocument.state.
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

// update rewrites the state of one stored document.
export function update(index, state) {
  if (sessionStorage.getItem("documents") === null) return;
  try {
    sessionStorage.setItem(key(index), JSON.stringify(state));
  } catch {
    clear();
  }
}

// stored returns the stored states, or an empty list.
export function stored() {
  const count = Number(sessionStorage.getItem("documents"));
  return Array.from({ length: count }, (_, i) => JSON.parse(sessionStorage.getItem(key(i))));
}

export function clear() {
  const count = Number(sessionStorage.getItem("documents"));
  for (let i = 0; i < count; i++) sessionStorage.removeItem(key(i));
  sessionStorage.removeItem("documents");
}
