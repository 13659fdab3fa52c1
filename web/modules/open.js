// Opens the read-only session of a one-time link. The code is in the fragment, which no server and no log ever sees.
import {ask, withCode} from "./passkey.js";

const code = location.hash.slice(1);
const errorText = document.querySelector(".error-text");
history.replaceState(null, "", location.pathname);
addEventListener("hashchange", () => location.reload());  // another link, opened in this tab

try {
  if (!code) throw new Error("The link has no code. Ask for a new one: drawbridge console open");
  await ask("/api/session/link", {code});
  location.replace("/");
} catch (problem) {
  document.querySelector("[data-open-link]").hidden = true;
  errorText.replaceChildren(...withCode(problem.message));
  errorText.hidden = false;
}
