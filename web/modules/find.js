// A number pasted anywhere outside a field is looked for.

const field = document.getElementById("find");

document.addEventListener("paste", (event) => {
  const target = event.target;
  if (target.closest?.("input, textarea, select, [contenteditable]")) return;
  const text = event.clipboardData.getData("text").trim();
  if (!text || text.length > 200) return;
  event.preventDefault();
  field.value = text;
  field.form.submit();
});
