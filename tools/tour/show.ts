import { SingleBar } from 'cli-progress';
import { paint } from '../terminal.js';
import { type Answer } from './api.js';

const PLAIN_STEPS = 5;
let steps = 0;

export function step(title: string): void {
  steps += 1;
  console.log(`\n${paint('bold', `${steps}. ${title}`)}`);
}

export function say(text: string): void {
  console.log(`   ${text}`);
}

/** The request and its status, the URL as a person would write it. */
export function showRequest({ method, url, status }: Answer): void {
  const { pathname, search } = new URL(url);
  const query = [...new URLSearchParams(search)].map(([name, value]) => `${name}=${value}`).join('&');
  say(paint('cyan', `${method} ${pathname}${query && `?${query}`} -> ${status}`));
}

/** A table, its first row being the heading. */
export function showTable(text: string): void {
  const [heading = '', ...rows] = text.split('\n');
  console.log([paint('dim', heading), ...rows].join('\n'));
}

export interface Progress {
  advance(): void;
  end(): void;
}

/** A bar on a terminal, a few plain lines elsewhere. */
export function progress(total: number, what: string): Progress {
  let done = 0;
  if (!process.stdout.isTTY) {
    const every = Math.ceil(total / PLAIN_STEPS);
    return { advance: () => ++done % every === 0 && say(`${done} of ${total} ${what}`), end: () => undefined };
  }
  const bar = new SingleBar({
    format: `   {bar} {value}/{total} ${what}, {duration_formatted}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
  });
  bar.start(total, 0);
  return { advance: () => bar.increment(), end: () => bar.stop() };
}
