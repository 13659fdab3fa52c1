// Acts: a form becomes a request, the daemon makes the text, the person reads it and signs.
//
// Fields are read as src/pages/act_form.cpp reads them: "expect.total" is one inside another, "ids:numbers" a list,
// "expect.seen:texts" a list of one text, "payments:number" a number, "total:amount" dollars and cents,
// "nothing_else_sent:flag" true.
import {ask, busy, printable, show, sign, withCode} from "./passkey.js";

const noticeKey = "drawbridge.notice";
const wholeNumber = /^(\d{1,15}|\d{1,3}(,\d{3}){1,4})$/;
const dollarsAndCents = /^\$?(\d{1,15}|\d{1,3}(,\d{3}){1,4})(\.\d{1,2})?$/;

// Commas may part thousands, and nothing else.
function plain(pattern, value, hint) {
  const typed = value.trim();
  if (!pattern.test(typed)) throw new Error(`'${typed}' is ${hint}.`);
  return typed.replace(/[$,]/g, "");
}

function toValue(kind, value) {
  if (kind === "flag") return true;
  if (kind === "number") return Number(plain(wholeNumber, value, "not a whole number: write it like 1370 or 1,370"));
  if (kind === "amount") {
    const [dollars, cents = ""] = plain(dollarsAndCents, value, "not an amount: write it like 1234.50 or $1,234.50")
      .split(".");
    return `${Number(dollars)}.${cents.padEnd(2, "0")}`;
  }
  if (kind === "texts") return [value];
  if (kind === "numbers") return value.split(/[ ,]+/).filter(Boolean).map((one) => toValue("number", one));
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

// Resolves with what goes beside the signature when the person wants to sign, with null where not. `problem`: why the
// release code is asked for again.
function letRead(challenge, problem) {
  const dialog = element("dialog", "", {"aria-labelledby": "sign-heading"});
  const heading = element("h2", "Review what you sign.", {id: "sign-heading"});
  const text = element("pre", printable(challenge.text), {class: "signed-text", tabindex: "0"});
  const form = element("form", "", {method: "dialog"});
  const row = element("div", "", {class: "row"});
  const no = element("button", "Do not sign", {type: "button"});
  const yes = element("button", "Sign with your passkey", {value: "yes", class: "main"});
  no.addEventListener("click", () => dialog.close());
  row.append(no, yes);
  const code = challenge.release_code_wanted
    ? element("input", "", {id: "release-code", inputmode: "numeric", autocomplete: "one-time-code", required: ""})
    : null;
  if (code) {
    const field = element("div", "", {class: "field"});
    field.append(element("label", "Release code, from the email with the totals", {for: "release-code"}), code);
    form.append(field);
  }
  if (problem) {
    const errorText = element("p", "", {class: "error-text", role: "alert"});
    errorText.append(...withCode(problem.message));
    form.append(errorText);
  }
  (code ?? yes).setAttribute("autofocus", "");
  form.append(row);
  dialog.append(heading, element("p", "Your passkey signs this text and nothing else.", {class: "small"}), text, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes" ? (code ? {release_code: code.value.trim()} : {}) : null);
    });
  });
}

// Resolves with whether the act is done. One signature serves while the daemon takes another release code for it; each
// new challenge mails another code.
async function carryOut(challenge) {
  let signed = null;
  let problem = null;
  for (;;) {
    const beside = await letRead(challenge, problem);
    if (!beside) return false;
    try {
      signed ??= await sign(challenge);
      await ask(`/api/acts/${encodeURIComponent(challenge.act_id)}`, {...signed, ...beside});
      return true;
    } catch (refusal) {
      if (!challenge.release_code_wanted || (signed && !refusal.triesLeft)) throw refusal;
      problem = refusal;
    }
  }
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
  if (!await carryOut(challenge)) {
    for (const button of form.querySelectorAll("button")) button.disabled = false;
    return;
  }
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
  form.querySelector("[data-sign-now]").hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
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
