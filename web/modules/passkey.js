// WebAuthn and the console's own JSON routes: bytes travel as base64url without padding.

export function toBytes(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

export function toText(bytes) {
  const binary = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The answer's JSON. Throws an Error with the daemon's own words where it refuses.
export async function ask(path, body, method = "POST") {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: {"Content-Type": "application/json"},
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw new Error("The console does not answer. Check whether it was done before you try again.");
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const refusal = new Error(answer.error?.message || `The console answered ${response.status}.`);
  refusal.status = response.status;
  refusal.triesLeft = answer.error?.tries_left;
  throw refusal;
}

// Has one of these keys sign the challenge; every key of this site where none is named.
export async function sign({challenge, rp_id, credentials = []}) {
  if (!window.PublicKeyCredential) throw new Error("This browser has no passkeys.");
  let credential;
  try {
    credential = await navigator.credentials.get({
      publicKey: {
        challenge: toBytes(challenge),
        rpId: rp_id,
        userVerification: "required",
        allowCredentials: credentials.map((id) => ({type: "public-key", id: toBytes(id)})),
        timeout: 120000,
      },
    });
  } catch (problem) {
    if (problem.name === "NotAllowedError") throw new Error("Nothing was signed: the passkey was not used.");
    throw problem;
  }
  return {
    credential_id: toText(credential.rawId),
    client_data: toText(credential.response.clientDataJSON),
    authenticator_data: toText(credential.response.authenticatorData),
    signature: toText(credential.response.signature),
  };
}

// Makes a key for this person, on a device that has none of theirs: it would take the old one's place.
export async function make({challenge, rp_id, person, user_handle, exclude_credentials = []}) {
  if (!window.PublicKeyCredential) throw new Error("This browser has no passkeys.");
  const name = typeof person === "string" ? person : person.name;
  let credential;
  try {
    credential = await navigator.credentials.create({
      publicKey: {
        challenge: toBytes(challenge),
        rp: {id: rp_id, name: "Drawbridge"},
        user: {id: toBytes(user_handle), name, displayName: name},
        pubKeyCredParams: [-7, -257, -8].map((alg) => ({type: "public-key", alg})),
        authenticatorSelection: {residentKey: "preferred", userVerification: "required"},
        excludeCredentials: exclude_credentials.map((id) => ({type: "public-key", id: toBytes(id)})),
        attestation: "none",
      },
    });
  } catch (problem) {
    if (problem.name === "InvalidStateError") {
      throw new Error("This device already has a passkey of yours. Sign in with it, or make one on another device. "
        + "To replace it, have an admin lock it first.");
    }
    if (problem.name === "NotAllowedError") {
      throw new Error("No passkey was made. Try again, and confirm with your fingerprint, face or PIN.");
    }
    throw problem;
  }
  return {
    client_data: toText(credential.response.clientDataJSON),
    attestation_object: toText(credential.response.attestationObject),
  };
}

// As pages show it (text::is_unprintable): nothing that hides, reorders or breaks what one reads. Lines stay.
const unprintable = /[\u{0}-\u{9}\u{b}-\u{1f}\u{7f}-\u{9f}\u{ad}\u{34f}\u{61c}\u{115f}-\u{1160}\u{17b4}-\u{17b5}\u{180b}-\u{180f}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{fe00}-\u{fe0f}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{fffe}-\u{ffff}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{1fffe}-\u{1ffff}\u{2fffe}-\u{2ffff}\u{3fffe}-\u{3ffff}\u{4fffe}-\u{4ffff}\u{5fffe}-\u{5ffff}\u{6fffe}-\u{6ffff}\u{7fffe}-\u{7ffff}\u{8fffe}-\u{8ffff}\u{9fffe}-\u{9ffff}\u{afffe}-\u{affff}\u{bfffe}-\u{bffff}\u{cfffe}-\u{cffff}\u{dfffe}-\u{e0fff}\u{efffe}-\u{effff}\u{ffffe}-\u{fffff}\u{10fffe}-\u{10ffff}]/gu;
export const printable = (text) => text.replace(unprintable, "?");

// A message with its `commands` as code.
export function withCode(message) {
  return printable(message).split("`").map((part, index) => {
    if (index % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

// Says what went wrong where the form has its place for it.
export function show(form, problem) {
  const place = form.querySelector(".error-text");
  place.replaceChildren(...withCode(problem.message));
  place.hidden = false;
  for (const button of form.querySelectorAll("button")) button.disabled = false;
}

export function busy(form) {
  form.querySelector(".error-text").hidden = true;
  for (const button of form.querySelectorAll("button")) button.disabled = true;
}

for (const hint of document.querySelectorAll("[data-needs-script]")) hint.hidden = true;
