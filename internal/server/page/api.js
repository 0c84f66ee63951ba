// Requests to the server that the page comes from.

import { byID } from "./dom.js";

// RequestError reports what the server found wrong with a request.
export class RequestError extends Error {
  constructor(status, problem) {
    const place = problem.errors?.[0];
    const where = place?.pointer || (place?.line && `line ${place.line}`) || "";
    super(`${problem.detail || problem.title || "the server failed"}${where ? ` (${where})` : ""}`);
    this.status = status;
  }
}

let token = "";

// request sends a request and returns the response. If the server requires a token, it asks the user for it.
async function request(method, path, body, type, more = {}) {
  for (;;) {
    const headers = { ...more };
    if (type) headers["Content-Type"] = type;
    if (token) headers.Authorization = `Bearer ${token}`;
    let answer;
    try {
      answer = await fetch(path, { method, headers, body });
    } catch {
      const kept = "What was decided before is kept; try again when it runs.";
      throw new RequestError(0, { detail: `The server cannot be reached. ${kept}` });
    }
    if (answer.ok) return answer;
    if (answer.status === 401) {
      await askForToken(token ? "The server refused this token." : "");
      continue;
    }
    throw new RequestError(answer.status, await answer.json().catch(() => ({})));
  }
}

// askForToken asks the user for a token and shows what was wrong with the last one.
function askForToken(wrong) {
  const dialog = byID("login");
  byID("token-error").textContent = wrong;
  return new Promise((resolve, reject) => {
    if (!dialog.open) dialog.showModal();
    dialog.addEventListener("close", () => {
      token = dialog.returnValue === "continue" ? byID("token").value.trim() : "";
      dialog.returnValue = "";
      byID("token").value = "";
      if (token) resolve();
      else reject(new RequestError(401, { detail: "the server needs an access token" }));
    }, { once: true });
  });
}

const query = (parameters) => {
  const set = Object.entries(parameters).filter(([, value]) => value !== "" && value !== undefined);
  return set.length ? `?${new URLSearchParams(set)}` : "";
};

const get = async (path) => (await request("GET", path)).json();
const postJSON = (path, body) => request("POST", path, JSON.stringify(body), "application/json");

export const health = () => get("/healthz");
export const description = () => get("/openapi.json");
export const concept = (id, exemplars) => get(`/v1/concepts/${encodeURIComponent(id)}${query({ limit: exemplars })}`);
export const search = (text, limit) => get(`/v1/concepts${query({ query: text, limit })}`);
export const hierarchy = (below, offset, limit) => get(`/v1/hierarchy${query({ below, offset, limit })}`);
export const records = (limit) => get(`/v1/records${query({ limit })}`);
export const record = (id) => get(`/v1/records/${encodeURIComponent(id)}`);

export async function readFile(content, name, format) {
  const path = `/v1/documents${query({ name: name.slice(0, 200), format })}`;
  return (await request("POST", path, content, "application/octet-stream")).json();
}

// link returns documents with candidates for their mentions. With tag, the server first finds the dictionary's names in
// them, and with recognize also other mentions. Mentions are also marked as negated, historical and so on where the
// text says so.
export async function link(documents, { tag, recognize, explain }) {
  const parameters = query({ top: 9, explain, assertion: true, recognize: tag && recognize });
  const answer = await postJSON(`${tag ? "/v1/annotate" : "/v1/link"}${parameters}`, { documents });
  return (await answer.json()).documents;
}

// exported returns documents as a file, with its name.
export async function exported(documents, format) {
  return file(await postJSON(`/v1/export${query({ format })}`, { documents }));
}

async function file(answer) {
  const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") || "")?.[1] || "linked";
  return { blob: await answer.blob(), name };
}

// remember stores a correction. With replace, it undoes corrections that contradict it.
export async function remember(correction, replace) {
  return (await postJSON(`/v1/memory${query({ replace })}`, correction)).json();
}

// rememberAll stores corrections, by one request for each megabyte of texts, and returns their numbers.
export async function rememberAll(corrections, replace) {
  const numbers = [];
  for (let from = 0, end = 0, size = 0; from < corrections.length; from = end, size = 0) {
    do size += corrections[end++].text.length; while (end < corrections.length && size < 1e6);
    const answer = await postJSON(`/v1/memory/import${query({ replace })}`, { entries: corrections.slice(from, end) });
    numbers.push(...(await answer.json()).numbers);
  }
  return numbers;
}

// Documents that the server stores. A response includes the version of the decisions, which a change has to send back.
const versioned = async (answer) => ({ body: await answer.json(), etag: answer.headers.get("ETag") });
export const curation = (parameters) => get(`/v1/curation${query(parameters)}`);
export const curated = async (number) => versioned(await request("GET", `/v1/curation/${number}`));
export const decide = async (number, etag, decisions) => versioned(await request(
  "PUT", `/v1/curation/${number}`, JSON.stringify(decisions), "application/json", { "If-Match": etag },
));
export const exportedCuration = async (format) => file(await request("GET", `/v1/curation/export${query({ format })}`));

export const memory = (offset, limit) => get(`/v1/memory${query({ offset, limit })}`);

// forget undoes a correction, unless somebody else has already undone it.
export async function forget(number) {
  await request("DELETE", `/v1/memory/${number}`).catch((error) => {
    if (error.status !== 404) throw error;
  });
}
