// Lists: rows that are ticked, with how many they are and their money, always in the same corner; rows that open where
// they are clicked; and, on the page of an entry, the way to its neighbors and back to its very row.

const bar = document.querySelector("[data-selected]");
const all = document.querySelector("[data-tick-all]");
const listKey = "drawbridge.list";

function dollars(cents) {
  return (cents / 100).toLocaleString("en-US", {style: "currency", currency: "USD"});
}

function count() {
  const boxes = [...document.querySelectorAll("[data-tick]")];
  const ticked = boxes.filter((box) => box.checked);
  bar.hidden = ticked.length === 0;
  all.checked = ticked.length > 0 && ticked.length === boxes.length;
  all.indeterminate = ticked.length > 0 && ticked.length < boxes.length;
  bar.querySelector("[data-selected-count]").textContent = String(ticked.length);
  const cents = ticked.reduce((sum, box) => sum + Number(box.dataset.cents), 0);
  bar.querySelector("[data-selected-sum]").textContent = dollars(cents);
  const fits = ticked.every((box) => box.hasAttribute("data-fits"));
  for (const act of bar.querySelectorAll("details.act")) act.hidden = !fits;
  for (const hint of bar.querySelectorAll("[data-misfit]")) hint.hidden = fits;
}

if (bar && all) {
  document.addEventListener("change", (event) => {
    if (event.target === all) {
      for (const box of document.querySelectorAll("[data-tick]")) box.checked = all.checked;
    }
    if (event.target.matches("[data-tick], [data-tick-all]")) count();
  });
  count();
}

// The entry's own kind: a page may list files beside exceptions.
function remember(row) {
  const folder = row.dataset.open.slice(0, row.dataset.open.lastIndexOf("/") + 1);
  const rows = [...document.querySelectorAll("tr[data-open]")].map((one) => one.dataset.open);
  const list = {from: location.pathname + location.search, rows: rows.filter((one) => one.startsWith(folder))};
  sessionStorage.setItem(listKey, JSON.stringify(list));
  sessionStorage.setItem(`row ${location.pathname}`, row.dataset.open);
}

// A row opens where it is clicked, unless something in it was meant or text is being marked.
document.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-open]");
  if (!row) return;
  remember(row);
  if (event.target.closest("a, button, input, label, summary, details") || String(getSelection())) return;
  if (event.ctrlKey || event.metaKey) open(row.dataset.open, "_blank", "noopener");
  else location.assign(row.dataset.open);
});

function showNeighbors(nav, list) {
  const at = list.rows.indexOf(location.pathname);
  if (at < 0) return;
  sessionStorage.setItem(`row ${list.from.split("?")[0]}`, location.pathname);
  const lead = (link, row) => {
    link.hidden = !row;
    if (row) link.href = row;
  };
  lead(nav.querySelector("[rel=prev]"), list.rows[at - 1]);
  lead(nav.querySelector("[rel=next]"), list.rows[at + 1]);
  nav.querySelector("[data-position]").textContent = `${at + 1} of ${list.rows.length}`;
  nav.hidden = list.rows.length < 2;
  const back = document.querySelector(".crumbs a");
  if (back && list.from.split("?")[0] === back.pathname) back.href = list.from;
}

const neighbors = document.querySelector("[data-neighbors]");
const known = JSON.parse(sessionStorage.getItem(listKey) || "null");
if (neighbors && known) showNeighbors(neighbors, known);
