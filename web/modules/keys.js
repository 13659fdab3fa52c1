// Single keys: "g" and a letter goes to a place, "/" finds, "?" lists them; j, k, enter and space walk through a list.
// They act outside fields only, and never sign anything.

const goes = new Map([...document.querySelectorAll("[data-go]")].map((link) => [link.dataset.go, link]));
let hasGo = false;
let row = -1;

function rows() {
  return [...document.querySelectorAll("main tbody tr[data-open]")];
}

function move(step) {
  const all = rows();
  if (all.length === 0) return;
  all[row]?.removeAttribute("data-here");
  row = Math.min(Math.max(row + step, 0), all.length - 1);
  all[row].setAttribute("data-here", "");
  all[row].querySelector("a")?.focus({preventScroll: true});
  all[row].scrollIntoView({block: "nearest"});
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function showDialog(heading, content) {
  const dialog = document.createElement("dialog");
  const close = document.createElement("form");
  close.method = "dialog";
  close.className = "row";
  close.append(element("button", "Close"));
  dialog.append(element("h2", heading), content, close);
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

function help() {
  const list = document.createElement("dl");
  list.className = "keys-list";
  const add = (keys, words) => {
    const term = document.createElement("dt");
    for (const key of keys) term.append(element("kbd", key), " ");
    list.append(term, element("dd", words));
  };
  for (const [key, link] of goes) add(["g", key], link.querySelector("span").textContent);
  add(["/"], "Find");
  add(["j"], "Next row");
  add(["k"], "Previous row");
  add(["space"], "Peek at the row");
  add(["enter"], "Open the row");
  add(["x"], "Select the row");
  for (const opener of document.querySelectorAll("main [data-key]:not([hidden])")) {
    const words = [...opener.childNodes].filter((one) => one.nodeName !== "KBD").map((one) => one.textContent);
    add([opener.dataset.key], words.join("").trim());
  }
  showDialog("Keys", list);
}

// The row as a list of its heads and cells: nothing is fetched.
function peek() {
  const current = rows()[row];
  if (!current) return;
  const heads = [...current.closest("table").querySelectorAll("thead tr > *")].map((head) => head.textContent);
  const facts = document.createElement("dl");
  facts.className = "facts peek";
  [...current.cells].forEach((cell, at) => {
    const text = cell.textContent.trim();
    if (!text || !heads[at]) return;
    const pair = document.createElement("div");
    pair.append(element("dt", heads[at]), element("dd", text));
    facts.append(pair);
  });
  showDialog(current.querySelector("a")?.textContent || "This row", facts);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
  const key = event.key;
  if (hasGo) {
    hasGo = false;
    const link = goes.get(key);
    if (link) {
      event.preventDefault();
      location.assign(link.href);
    }
    return;
  }
  if (key === "g") hasGo = true;
  else if (key === "/") {
    event.preventDefault();
    document.getElementById("find").focus();
  } else if (key === "?") help();
  else if (key === "j" || key === "k") move(key === "j" ? 1 : -1);
  else if (key === " " && row >= 0 && !event.target.closest("button, summary")) {
    event.preventDefault();
    peek();
  } else if (key === "x" && row >= 0) rows()[row].querySelector("[data-tick]")?.click();
  else if (key === "Enter" && row >= 0 && event.target === document.body) rows()[row].click();
  else {
    const opener = document.querySelector(`main [data-key="${CSS.escape(key)}"]:not([hidden])`);
    if (!opener) return;
    event.preventDefault();
    opener.click();
  }
}

document.addEventListener("keydown", onKey);

// Back from an entry to the very row.
const left = sessionStorage.getItem(`row ${location.pathname}`);
if (left) {
  row = rows().findIndex((one) => one.dataset.open === left);
  rows()[row]?.setAttribute("data-here", "");
}
