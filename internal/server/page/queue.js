// Actions that wait for the server, one after another.

import { announce, showError } from "./dom.js";

let last = Promise.resolve();
let waiting = 0;

// isBusy reports whether an action waits or runs.
export const isBusy = () => waiting > 0;

// run runs an action when those before it are done, and shows its error. An action whose beginning depends on what is
// open takes it when it is called, and not when it is run: by then another mention may be open.
export function run(action) {
  if (waiting === 0) showError(""); // and not the error of the action before this one, which nobody has read
  waiting++;
  document.body.setAttribute("aria-busy", "true");
  last = last.then(action).catch((error) => {
    announce("");
    showError(error.message);
  }).finally(() => {
    waiting--;
    if (waiting === 0) document.body.removeAttribute("aria-busy");
  });
  return last;
}
