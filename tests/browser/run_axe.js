// The violations that axe finds on this page, and in the form of each act once it is open.
// A dark page differs from its light one in colors alone.
const isDark = document.documentElement.dataset.theme === "dark";
const options = {
  ...(isDark ? {runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block"]}} : {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: {"target-size": {enabled: true}},
  }),
  resultTypes: ["violations"],
};
const found = [];
async function look(at, where) {
  const {violations} = await axe.run(at, options);
  for (const {id, help, nodes} of violations) {
    for (const node of nodes) found.push(`${where}${id}: ${help}: ${node.html.slice(0, 160)}`);
  }
}
return (async () => {
  await look(document, "");
  for (const details of [...document.querySelectorAll("details")].slice(0, 8)) {
    if (!details.checkVisibility() || details.open) continue;
    details.open = true;
    await look(details, `open ${details.querySelector("summary").textContent.trim()}: `);
    details.open = false;
  }
  return found;
})();
