// Rows that are ticked: how many, and their money, always in the same corner.

const bar = document.querySelector("[data-selected]");

function dollars(cents) {
  return (cents / 100).toLocaleString("en-US", {style: "currency", currency: "USD"});
}

function count() {
  const ticked = [...document.querySelectorAll("[data-tick]:checked")];
  bar.hidden = ticked.length === 0;
  bar.querySelector("[data-selected-count]").textContent = String(ticked.length);
  const cents = ticked.reduce((sum, box) => sum + Number(box.dataset.cents), 0);
  bar.querySelector("[data-selected-sum]").textContent = dollars(cents);
}

if (bar) {
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-tick]")) count();
  });
  count();
}

// A row opens where it is clicked, unless something in it was meant or text is being marked.
document.addEventListener("click", (event) => {
  const row = event.target.closest("tr[data-open]");
  if (!row || event.target.closest("a, button, input, label, summary, details") || String(getSelection())) return;
  if (event.ctrlKey || event.metaKey) open(row.dataset.open, "_blank", "noopener");
  else location.assign(row.dataset.open);
});
