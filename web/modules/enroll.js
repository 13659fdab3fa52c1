// Makes a passkey from an invitation. Its code is in the fragment, which no server and no log ever sees.
import {ask, busy, make, printable, show} from "./passkey.js";

const form = document.querySelector("form[data-enroll]");
const code = location.hash.slice(1);
const person = form.querySelector("[data-enroll-person]");
let begun;
history.replaceState(null, "", location.pathname);

async function begin() {
  if (!code) throw new Error("The link has no code. Ask an admin for a new invitation.");
  begun = await ask("/api/enroll/begin", {code});
  const name = typeof begun.person === "string" ? begun.person : begun.person.name;
  person.textContent = `This key is for ${printable(name)}. If that is not you, stop here.`;
}

async function enroll() {
  const label = form.elements.label.value;
  if (printable(label) !== label) throw new Error("The name has a character that cannot be shown. Write another one.");
  busy(form);
  const made = await make(begun);
  const answer = await ask("/api/enroll", {code, ...made, label});
  form.hidden = true;
  const done = document.querySelector("[data-enrolled]");
  done.hidden = false;
  done.querySelector("[data-fingerprint]").textContent = answer.fingerprint;
  done.querySelector("[data-confirm-command]").textContent = `drawbridge people confirm ${answer.fingerprint} --reason …`;
  done.querySelector("a").focus();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enroll().catch((problem) => show(form, problem));
});
// Another invitation, opened in this tab.
addEventListener("hashchange", () => location.reload());
begin().catch((problem) => {
  for (const part of form.children) part.hidden = true;
  show(form, problem);
});
