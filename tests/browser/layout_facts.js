// What is wrong with the layout of this page at this width: one line for each fault.
const faults = [];
const name = (element) => {
  const kind = element.className && typeof element.className === "string" ? `.${element.className.trim().replaceAll(" ", ".")}` : "";
  return `${element.localName}${kind} "${element.textContent.trim().replace(/\s+/g, " ").slice(0, 40)}"`;
};
const isSeen = (element) => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && !element.closest(".unseen, .skip");
const inOwnScroll = (element) => element.closest(".scroll");

// The page itself never scrolls sideways; a table may, in its own box.
const width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth > width) faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);

// Texts: none is cut off, none leaves its block or the window, and no two lie on each other.
const lines = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const owner = node.parentElement;
  if (!node.data.trim() || !isSeen(owner) || owner.closest("svg, option, textarea")) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    if (box.width < 1 || box.height < 1) continue;
    lines.push({box, owner});
    if (!inOwnScroll(owner) && (box.left < -0.5 || box.right > width + 0.5)) faults.push(`leaves the window: ${name(owner)}`);
    const holder = owner.closest(".card, .door, dialog, td, th, li, .drop, .banner, .act-form");
    if (!holder || owner.closest("summary + *")) continue;
    const outer = holder.getBoundingClientRect();
    if (box.left < outer.left - 1 || box.right > outer.right + 1) faults.push(`leaves ${holder.localName}: ${name(owner)}`);
  }
}
for (const element of document.querySelectorAll("body *")) {
  const style = getComputedStyle(element);
  const cuts = /hidden|clip/.test(style.overflowX) || /hidden|clip/.test(style.overflowY);
  if (!cuts || !isSeen(element) || element.closest("svg") || !element.textContent.trim()) continue;
  if (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1) faults.push(`is cut off: ${name(element)}`);
}
const isAbove = (element) => element.closest(".bar, .places, .selection");  // what lies over the page on purpose
lines.sort((one, other) => one.box.top - other.box.top);
for (let i = 0; i < lines.length; ++i) {
  for (let j = i + 1; j < lines.length && lines[j].box.top < lines[i].box.bottom - 3; ++j) {
    const [a, b] = [lines[i].box, lines[j].box];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across < 2 || down < 5 || isAbove(lines[i].owner) !== isAbove(lines[j].owner)) continue;
    if (inOwnScroll(lines[i].owner) !== inOwnScroll(lines[j].owner)) continue;
    faults.push(`lie on each other: ${name(lines[i].owner)} and ${name(lines[j].owner)}`);
  }
}

// Targets: 24 px in each direction. A link in a sentence may be as high as its line; of a row that opens where it is
// clicked, the row counts.
const controls = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")].filter(isSeen);
for (const control of controls) {
  const box = (control.closest("tr[data-open]") && control.matches("a") ? control.closest("td, th") : control).getBoundingClientRect();
  const around = control.parentElement;
  const inSentence = getComputedStyle(control).display === "inline" && around.textContent.trim().length > control.textContent.trim().length;
  if (box.height < 24 && !inSentence) faults.push(`is ${box.height.toFixed(1)} px high: ${name(control)}`);
  if (box.width < 24 && !inSentence) faults.push(`is ${box.width.toFixed(1)} px wide: ${name(control)}`);
}

// Columns of money: the last digits stand in one line. A summary row is of its own.
for (const table of document.querySelectorAll("table")) {
  const ends = new Map();
  for (const row of table.tBodies[0]?.rows ?? []) {
    for (const cell of row.querySelectorAll("td.num")) {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const text = cell.textContent.trim();
      if (!/\.\d\d$/.test(text) || !isSeen(cell)) continue;
      const right = range.getBoundingClientRect().right;
      const known = ends.get(cell.cellIndex);
      if (known !== undefined && Math.abs(known - right) > 1) faults.push(`cents stand at ${right}, not at ${known}: ${text}`);
      ends.set(cell.cellIndex, known ?? right);
    }
  }
}
return [...new Set(faults)].slice(0, 20);
