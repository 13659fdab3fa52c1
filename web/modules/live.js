// Follows the ledger: one stream of pulses while the page is seen. Counts change by themselves; a page that lists
// things says that there is something new and waits, so that nothing moves under the reader's eyes. A page that only
// tells how things stand (data-follow) is brought up to date while nobody reads or types in it. That all payments are
// paused or the ledger does not verify, or no longer, shows at once on every page; so does that nobody answers. A session
// that ends takes nothing along that somebody typed. A request that a page sends on its own does not prolong the session.

const retry = 5000;
const states = ["paused", "breach"];  // of the pulse, each with a banner

const named = (name, within = document) => within.querySelector(`[data-region='${name}']`);
const region = named("page");
const notice = document.getElementById("notice");
let seen = Number(document.body.dataset.seq || 0);
let stream = null;
let isFetching = false;
let banner = null;

function isInUse() {
  const active = document.activeElement;
  const holds = active && active !== document.body && region.contains(active);
  return holds || region.querySelector("details[open], :checked:not(option)") || String(getSelection()) !== "";
}

// Parsed by the browser, without scripts; its nodes take the place of the old ones.
function fetchPage() {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.setRequestHeader("Drawbridge-By-Itself", "1");
    request.responseType = "document";
    request.addEventListener("load", () => (request.status === 200 ? done(request.response) : failed()));
    request.addEventListener("error", failed);
    request.send();
  });
}

function take(name, fresh) {
  const place = named(name);
  const source = named(name, fresh);
  if (!place || !source) return;
  place.replaceChildren(...document.importNode(source, true).childNodes);
  if (name !== "banners") return;
  for (const state of states) place.toggleAttribute(`data-${state}`, source.hasAttribute(`data-${state}`));
}

async function bringUpToDate(names) {
  if (isFetching) return;
  isFetching = true;
  try {
    const fresh = await fetchPage();
    for (const name of names) if (name !== "page" || !isInUse()) take(name, fresh);
  } catch {
    // The next pulse tries again.
  } finally {
    isFetching = false;
  }
}

function offer() {
  if (!notice || !notice.hidden) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = "There is something new. Show it";
  button.addEventListener("click", () => location.reload());
  notice.replaceChildren(button);
  notice.classList.add("late");
  notice.hidden = false;
}

function isChanged(field) {
  if (field.options) return !([...field.options].find((one) => one.defaultSelected) ?? field.options[0]).selected;
  if (field.type === "file") return field.files.length > 0;
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

function hasTyped() {
  return [...document.querySelectorAll("main :is(input, select, textarea), .bar textarea")].some(isChanged);
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// One at a time, above the page, until the next pulse. It is read aloud once.
function say(words, ...more) {
  if (banner?.querySelector(".strong").textContent === words) return;
  banner?.remove();
  const text = document.createElement("div");
  const rest = document.createElement("p");
  rest.append(...more);
  text.append(element("p", words, {class: "strong"}), rest);
  banner = element("div", "", {class: "banner wait", role: "alert"});
  banner.append(text);
  named("banners").prepend(banner);
}

function sayAway(who) {
  if (banner || document.querySelector("[data-away]")) return;
  say(`${who} does not answer.`, "What you see may be out of date. The page tries again every few seconds.");
}

function onOver() {
  end();
  const signIn = `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
  if (!hasTyped()) {
    location.assign(signIn);
    return;
  }
  const link = element("a", "Sign in in another tab", {href: signIn, target: "_blank", rel: "noopener"});
  say("Your session has ended.", link, ", then continue here. Your input is kept.");
  setTimeout(begin, retry);
}

function onPulse(pulse) {
  banner?.remove();
  banner = null;
  for (const place of document.querySelectorAll("[data-pulse]")) {
    const count = pulse[place.dataset.pulse];
    if (count === undefined) continue;
    place.textContent = String(count);
    place.hidden = count === 0;
  }
  if (!seen) seen = pulse.audit_seq;
  const banners = named("banners");
  const isShown = states.every((state) => Boolean(pulse[state]) === banners.hasAttribute(`data-${state}`));
  const isBack = document.querySelector("[data-away]") !== null;
  const names = isShown && !isBack ? [] : ["banners", "pause"];
  if (pulse.audit_seq !== seen || isBack) {
    seen = pulse.audit_seq;
    if (region.dataset.follow !== undefined && !isInUse()) names.push("page");
    else offer();
  }
  if (names.length) bringUpToDate(names);
}

// The browser reconnects automatically, unless it was refused.
function onError() {
  if (stream.readyState === EventSource.CONNECTING) {
    sayAway("The console");
    return;
  }
  end();
  setTimeout(begin, retry);
}

function begin() {
  if (stream || document.hidden) return;
  stream = new EventSource("/events");
  stream.addEventListener("pulse", (event) => onPulse(JSON.parse(event.data)));
  stream.addEventListener("away", () => sayAway("The daemon"));
  stream.addEventListener("over", onOver);
  stream.addEventListener("error", onError);
}

function end() {
  stream?.close();
  stream = null;
}

if (region && document.body.dataset.seq) {
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  addEventListener("pagehide", end);
  begin();
}
