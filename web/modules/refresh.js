// Has the daemon read draws from the service again: the selected ones of a list, or those that a report is about. A few
// at a time, so that the page tells how far it is.
import {leave} from "./act.js";
import {ask, busy, show} from "./passkey.js";

const atOnce = 50;

const counted = (count) => (count === 1 ? "One draw was" : `${count.toLocaleString("en-US")} draws were`);

async function idsOf(place) {
  if (place.dataset.refresh) return (await ask(place.dataset.refresh, undefined, "GET")).ids;
  return [...document.querySelectorAll("[data-tick]:checked")].map((box) => Number(box.dataset.tick));
}

async function refresh(place) {
  const status = place.querySelector("[role=status]");
  busy(place);
  status.hidden = false;
  status.textContent = "Looking which draws to read.";
  const ids = await idsOf(place);
  let changed = 0;
  let failed = 0;
  let problem = "";
  for (let at = 0; at < ids.length; at += atOnce) {
    status.textContent = `Read ${at.toLocaleString("en-US")} of ${ids.length.toLocaleString("en-US")}.`;
    const read = await ask("/api/draws/refresh", {ids: ids.slice(at, at + atOnce)});
    changed += read.changed;
    failed += read.failed;
    problem ||= read.problem;
  }
  const failure = failed ? ` ${counted(failed)} not read: ${problem}` : "";
  leave(location.href, `${counted(ids.length - failed)} read again, ${changed} changed.${failure}`);
}

for (const place of document.querySelectorAll("[data-refresh]")) {
  place.hidden = false;
  place.querySelector("button").addEventListener("click", () => {
    refresh(place).catch((problem) => {
      place.querySelector("[role=status]").hidden = true;
      show(place, problem);
    });
  });
}
