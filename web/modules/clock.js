// Keeps countdowns true, and offers two minutes before the session ends to go on with it.

const warning = 2 * 60 * 1000;

function words(milliseconds) {
  const minutes = Math.floor(milliseconds / 60000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return days > 2 || hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

// Any question of a person prolongs the session, up to its longest.
async function stay(session, notice) {
  const answer = await fetch("/api/me", {credentials: "same-origin"}).catch(() => null);
  if (!answer?.ok) {
    location.reload();
    return;
  }
  session.dateTime = (await answer.json()).expires;
  notice.hidden = true;
  notice.replaceChildren();
}

function offerToStay(session, notice) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Stay signed in";
  button.addEventListener("click", () => stay(session, notice));
  notice.replaceChildren("Your session ends in two minutes. ", button);
  notice.classList.add("late");
  notice.hidden = false;
}

function tick() {
  const now = Date.now();
  for (const place of document.querySelectorAll("[data-until]")) {
    const left = Date.parse(place.dateTime) - now;
    const text = left <= 0 ? "now" : `in ${words(left)}`;
    if (place.textContent !== text) place.textContent = text;
  }
  const session = document.querySelector("[data-session]");
  const notice = document.getElementById("notice");
  if (!session || !notice || !notice.hidden) return;
  const left = Date.parse(session.dateTime) - now;
  if (left > 0 && left < warning) offerToStay(session, notice);
}

tick();
setInterval(tick, 15000);
