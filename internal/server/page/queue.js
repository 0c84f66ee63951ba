// A queue of actions that wait for the server.

import { announce, showError } from "./dom.js";

let last = Promise.resolve();
let waiting = 0;

// isBusy reports whether an action is waiting or running.
export const isBusy = () => waiting > 0;

// run runs an action once those before it are done, and shows its error. An action that depends on what is open has to
// read that before it calls run, because by the time it runs another mention may be open.
export function run(action) {
  if (waiting === 0) showError(""); // otherwise, keep the error of the action before, which nobody has read
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
