// Signs in with a passkey.
import {ask, busy, show, sign} from "./passkey.js";

const form = document.querySelector("form[data-sign-in]");

async function signIn() {
  busy(form);
  const challenge = await ask("/api/session/challenge", {});
  await ask("/api/session", await sign(challenge));
  location.assign(form.dataset.next);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  signIn().catch((problem) => show(form, problem));
});
