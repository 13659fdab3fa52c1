// Acts: a form becomes a request, the daemon makes the text, the person reads it and signs.
//
// Fields are read as src/pages/act_form.cpp reads them: "expect.total" is one inside another, "ids:numbers" a list,
// "expect.seen:texts" a list of one text, "payments:number" a number, "nothing_else_sent:flag" true.
import {ask, busy, printable, show, sign} from "./passkey.js";

const noticeKey = "drawbridge.notice";

function toValue(kind, value) {
  if (kind === "flag") return true;
  if (kind === "number") return Number.parseInt(value, 10);
  if (kind === "texts") return [value];
  if (kind === "numbers") return value.split(/[ ,]+/).filter(Boolean).map((one) => Number.parseInt(one, 10));
  return value;
}

export function readForm(form) {
  const act = {method: "POST", path: "", body: {}};
  const places = [];
  let next = "/";
  for (const [name, value] of new FormData(form)) {
    if (name === "act.path") act.path = value;
    else if (name === "act.next") next = value;
    else if (name.startsWith("path.")) places.push([`{${name.slice(5)}}`, value]);
    else if (value !== "") {
      const [key, kind] = name.split(":");
      const parts = key.split(".");
      const into = parts.length > 1 ? (act.body[parts[0]] ??= {}) : act.body;
      into[parts.at(-1)] = toValue(kind, value);
    }
  }
  for (const [place, value] of places) act.path = act.path.replace(place, encodeURIComponent(value));
  if (form.hasAttribute("data-selection")) {
    const ticked = [...document.querySelectorAll("[data-tick]:checked")];
    act.body.ids = ticked.map((box) => Number(box.dataset.tick));
    if (act.path === "/draws/approve") {
      const cents = ticked.reduce((sum, box) => sum + Number(box.dataset.cents), 0);
      const seen = ticked.toSorted((a, b) => a.dataset.tick - b.dataset.tick).map((box) => box.dataset.seen);
      act.body.expect = {draws: ticked.length, total: (cents / 100).toFixed(2), seen};
    }
  }
  return {act, next};
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Resolves with what goes beside the signature when the person wants to sign, with null where not.
function letRead(challenge) {
  const dialog = element("dialog", "", {"aria-labelledby": "sign-heading"});
  const heading = element("h2", "Review what you sign.", {id: "sign-heading"});
  const text = element("pre", printable(challenge.text), {class: "signed-text", tabindex: "0"});
  const row = element("form", "", {class: "row", method: "dialog"});
  row.append(element("button", "Do not sign", {value: "no"}),
             element("button", "Sign with your passkey", {value: "yes", class: "main", autofocus: ""}));
  dialog.append(heading, element("p", "Your passkey signs this text and nothing else.", {class: "small"}), text);
  let code = null;
  if (challenge.release_code_wanted) {
    const field = element("div", "", {class: "field"});
    code = element("input", "", {id: "release-code", inputmode: "numeric", autocomplete: "one-time-code"});
    field.append(element("label", "Release code, from the email with the totals", {for: "release-code"}), code);
    dialog.append(field);
  }
  dialog.append(row);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes" ? (code ? {release_code: code.value.trim()} : {}) : null);
    });
  });
}

export function leave(next, notice) {
  sessionStorage.setItem(noticeKey, notice);
  if (new URL(next, location.href).href === location.href) location.reload();
  else location.assign(next);
}

// The refusal, and what the person does now.
function showRefusal(form, problem) {
  if (problem.status === 401) {
    problem.message = "Your session has ended. Sign in in another tab, then continue here. Your input is kept.";
  } else if (problem.status >= 500) {
    problem.message += ". Check whether it was done before you try again.";
  }
  show(form, problem);
}

async function perform(form) {
  const {act, next} = readForm(form);
  busy(form);
  const challenge = await ask("/api/acts/challenge", act);
  const beside = await letRead(challenge);
  if (!beside) {
    for (const button of form.querySelectorAll("button")) button.disabled = false;
    return;
  }
  const signed = await sign(challenge);
  await ask(`/api/acts/${encodeURIComponent(challenge.act_id)}`, {...signed, ...beside});
  leave(next, "Done. It is signed and in the audit trail.");
}

for (const form of document.querySelectorAll("form[data-act]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    perform(form).catch((problem) => showRefusal(form, problem));
  });
}

// The page of src/pages/sign_page.cpp, where the form came here without a script.
for (const form of document.querySelectorAll("form[data-sign]")) {
  const button = form.querySelector("[data-sign-now]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    busy(form);
    try {
      const signed = await sign({
        challenge: form.dataset.challenge,
        rp_id: form.dataset.rpId,
        credentials: JSON.parse(form.dataset.credentials),
      });
      const code = form.elements.release_code;
      if (code) signed.release_code = code.value.trim();
      await ask(`/api/acts/${encodeURIComponent(form.dataset.sign)}`, signed);
      leave(form.dataset.next, "Done. It is signed and in the audit trail.");
    } catch (problem) {
      showRefusal(form, problem);
    }
  });
}

// What the act before this page did.
const notice = document.getElementById("notice");
const said = sessionStorage.getItem(noticeKey);
if (notice && said) {
  sessionStorage.removeItem(noticeKey);
  notice.textContent = said;
  notice.hidden = false;
}

// One form is open at a time; Escape and a click beside it close it, and what was typed stays.
document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("details.act[open]")) {
    event.target.querySelector("input:not([type=hidden]), textarea, a.button")?.focus();
  }
}, true);
document.addEventListener("keydown", (event) => {
  const open = document.querySelector("details.act[open]");
  if (event.key !== "Escape" || !open || document.querySelector("dialog[open]")) return;
  open.open = false;
  open.querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  const open = document.querySelector("details.act[open]");
  if (open && !open.contains(event.target) && !event.target.closest("dialog")) open.open = false;
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  const words = button.firstChild.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.firstChild.textContent = "Copied";
    setTimeout(() => { button.firstChild.textContent = words; }, 1500);
  });
}
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
