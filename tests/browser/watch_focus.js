// Writes down what has the focus after each press of Tab; how many presses are enough for the whole page.
const targets = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
window.controls = [...document.querySelectorAll(targets)].filter((one) => one.checkVisibility({checkVisibilityCSS: true}) && !one.disabled);
window.visited = new Set();
window.focusFaults = [];
const name = (element) => `${element.localName} "${(element.getAttribute("aria-label") || element.textContent || element.name || "").trim().slice(0, 40)}"`;
document.addEventListener("focusin", ({target}) => {
  visited.add(target);
  const style = getComputedStyle(target);
  if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) focusFaults.push(`shows no focus: ${name(target)}`);
  const box = target.getBoundingClientRect();
  const points = [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.5, .9]].map(([x, y]) => [box.left + box.width * x, box.top + box.height * y]);
  const isThere = ([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top && (target.contains(top) || top.contains(target));
  };
  if (!points.some(isThere)) focusFaults.push(`has the focus where nobody sees it: ${name(target)}`);
});
document.activeElement?.blur();
// A date has parts, each with a stop of its own.
return controls.length + 4 * controls.filter((one) => one.type === "date").length;
