// Repeats requests to one service, and records the responses.
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST } from '../backends.mjs';
import { repeat } from '../repeat.mjs';

const PAUSE_MS = 100;

/** Sends one request. @returns the relevant parts of the response, or status 0 if no response arrived */
export async function ask(port, { method = 'GET', path, body }, headers = {}) {
  const began = Date.now();
  const options = { method, headers: { ...headers, 'content-type': 'application/json' }, body: body && JSON.stringify(body) };
  const answer = await fetch(`http://${HOST}:${port}${path}`, options).then(readAnswer, (error) => ({
    status: 0,
    code: error.cause?.code ?? error.message,
  }));
  return { what: `${method} ${path}`, began, took: Date.now() - began, ...answer };
}

async function readAnswer(response) {
  const body = await response.json();
  return { status: response.status, code: body.code, retryAfter: response.headers.get('retry-after'), body };
}

/** @param requests functions that each send a request; each is called again after its response */
export function watch(requests) {
  const answers = [];
  const works = requests.map((request) => async () => answers.push(await request()));
  return {
    answers,
    stop: repeat(works, PAUSE_MS),
    /** Responses to requests that were sent and answered within a period. */
    between: (from, to = Infinity) => answers.filter(({ began, took }) => began >= from && began + took <= to),
  };
}

/** @returns how many milliseconds it took until `holds` was true */
export async function until(withinMs, what, holds) {
  for (const began = Date.now(); ; await sleep(PAUSE_MS)) {
    if (await holds()) return Date.now() - began;
    if (Date.now() - began > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
  }
}
