// The arrow keys walk from day to day of the month, and on into the month before and after.

const days = [...document.querySelectorAll("[data-day]")];
const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7};

function moved(day, by) {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + by);
  return date.toISOString().slice(0, 10);
}

function goTo(day) {
  const link = days.find((one) => one.dataset.day === day);
  if (link) {
    link.focus();
    return;
  }
  const month = document.querySelector(day < days[0].dataset.day ? "[rel=prev]" : "[rel=next]");
  location.assign(`${month.href}#${day}`);
}

document.addEventListener("keydown", (event) => {
  const by = steps[event.key];
  const here = event.target.closest?.("[data-day]");
  if (!by || !here || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  goTo(moved(here.dataset.day, by));
});

// Where one came from another month.
days.find((one) => `#${one.dataset.day}` === location.hash)?.focus();
