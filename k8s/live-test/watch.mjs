// Requests to one service, sent again and again, and what became of each.
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST } from './backends.mjs';

const PAUSE_MS = 100;

/** Sends one request. @returns what matters of the answer; status 0 when there was none */
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

/** @param requests each sends one and is called again after its answer */
export function watch(requests) {
  const answers = [];
  let goesOn = true;
  const loops = requests.map(async (request) => {
    for (; goesOn; await sleep(PAUSE_MS)) answers.push(await request());
  });
  const running = Promise.all(loops);
  return {
    answers,
    /** Answers that came, to what was sent, within a time. */
    between: (from, to = Infinity) => answers.filter(({ began, took }) => began >= from && began + took <= to),
    stop: () => {
      goesOn = false;
      return running;
    },
  };
}

/** @returns milliseconds that it took */
export async function until(withinMs, what, holds) {
  for (const began = Date.now(); ; await sleep(PAUSE_MS)) {
    if (await holds()) return Date.now() - began;
    if (Date.now() - began > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
  }
}
