// Hands a bank file over in pieces and goes to its preview; dragging does what the file button does.
import {ask, busy, show} from "./passkey.js";

const pieceBytes = 1024 * 1024;
const form = document.querySelector("form[data-drop]");

async function sendPiece(upload, file, offset) {
  const response = await fetch(`/api/ingest/${encodeURIComponent(upload)}/bytes?offset=${offset}`, {
    method: "POST",
    headers: {"Content-Type": "application/octet-stream"},
    body: file.slice(offset, offset + pieceBytes),
    credentials: "same-origin",
  }).catch(() => {
    throw new Error("The console does not answer. Nothing was recorded. Try again in a moment.");
  });
  if (response.ok) return;
  const answer = await response.json().catch(() => ({}));
  throw new Error(answer.error?.message || `The console answered ${response.status}.`);
}

async function handOver(file) {
  const progress = form.querySelector("progress");
  busy(form);
  progress.hidden = false;
  const {upload} = await ask("/api/ingest", {});
  for (let offset = 0; offset < file.size || offset === 0; offset += pieceBytes) {
    await sendPiece(upload, file, offset);
    progress.value = Math.min(1, (offset + pieceBytes) / Math.max(file.size, 1));
  }
  const query = new URLSearchParams({upload, name: file.name});
  location.assign(`/bank-files/preview?${query}`);
}

function begin(file) {
  handOver(file).catch((problem) => {
    form.querySelector("progress").hidden = true;
    show(form, problem);
  });
}

if (form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [file] = form.querySelector("input[type=file]").files;
    if (file) begin(file);
  });
  for (const name of ["dragenter", "dragover"]) {
    form.addEventListener(name, (event) => {
      event.preventDefault();
      form.setAttribute("data-over", "");
    });
  }
  for (const name of ["dragleave", "drop"]) {
    form.addEventListener(name, (event) => {
      event.preventDefault();
      form.removeAttribute("data-over");
    });
  }
  form.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer.files;
    if (file) begin(file);
  });
}
