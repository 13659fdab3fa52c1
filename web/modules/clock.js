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

// Apart from the notice, which may be about something else.
let offer = null;

function say(words, ...more) {
  offer ??= document.createElement("p");
  offer.className = "notice late";
  offer.setAttribute("role", "alert");
  offer.replaceChildren(words, ...more);
  if (!offer.isConnected) document.getElementById("notice").before(offer);
}

// Any question of a person prolongs the session, up to its longest.
async function stay(session) {
  const answer = await fetch("/api/me", {credentials: "same-origin"}).catch(() => null);
  if (!answer?.ok) {
    location.reload();
    return;
  }
  session.dateTime = (await answer.json()).expires;
  if (Date.parse(session.dateTime) - Date.now() > warning) {
    offer.remove();
    offer = null;
    return;
  }
  say("Your session has reached its longest and ends now. Sign in again when it has.");
}

function offerToStay(session) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.key = "y";
  button.textContent = "Stay signed in ";
  if (document.querySelector(".keys-hint")) {
    const key = document.createElement("kbd");
    key.setAttribute("aria-hidden", "true");
    key.textContent = "y";
    button.append(key);
  }
  button.addEventListener("click", () => stay(session));
  say("Your session ends in two minutes. ", button);
}

function tick() {
  const now = Date.now();
  for (const place of document.querySelectorAll("[data-until]")) {
    const left = Date.parse(place.dateTime) - now;
    const text = left <= 0 ? "now" : `in ${words(left)}`;
    if (place.textContent !== text) place.textContent = text;
  }
  const session = document.querySelector("[data-session]");
  if (!session || offer) return;
  const left = Date.parse(session.dateTime) - now;
  if (left > 0 && left < warning) offerToStay(session);
}

tick();
document.addEventListener("visibilitychange", tick);
setInterval(tick, 15000);
