// Follows the ledger: one stream of pulses while the page is seen. Counts change by themselves; a page that lists
// things says that there is something new and waits, so that nothing moves under the reader's eyes. A page that only
// tells how things stand (data-follow) is brought up to date while nobody reads or types in it.

const region = document.querySelector("[data-region='page']");
const notice = document.getElementById("notice");
let seen = Number(document.body.dataset.seq || 0);
let stream = null;
let isFetching = false;

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
    request.responseType = "document";
    request.addEventListener("load", () => (request.status === 200 ? done(request.response) : failed()));
    request.addEventListener("error", failed);
    request.send();
  });
}

async function bringUpToDate() {
  if (isFetching) return;
  isFetching = true;
  try {
    const fresh = (await fetchPage()).querySelector("[data-region='page']");
    if (fresh && !isInUse()) region.replaceChildren(...document.importNode(fresh, true).childNodes);
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
  button.textContent = "Something changed. Show it";
  button.addEventListener("click", () => location.reload());
  notice.replaceChildren(button);
  notice.hidden = false;
}

function onPulse(pulse) {
  for (const place of document.querySelectorAll("[data-pulse]")) {
    const count = pulse[place.dataset.pulse];
    if (count === undefined) continue;
    place.textContent = String(count);
    place.hidden = count === 0;
  }
  if (!seen) seen = pulse.audit_seq;
  if (pulse.audit_seq === seen) return;
  seen = pulse.audit_seq;
  if (region.dataset.follow !== undefined && !isInUse()) bringUpToDate();
  else offer();
}

function begin() {
  if (stream || document.hidden) return;
  stream = new EventSource("/events");
  stream.addEventListener("pulse", (event) => onPulse(JSON.parse(event.data)));
  stream.addEventListener("over", () => {
    stream.close();
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  });
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
