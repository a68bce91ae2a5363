import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse as parseJson, stringify } from 'lossless-json';
import { type PutOutcome } from '../../index.js';
import { type Context, type Flags } from '../shared/command.js';
import { Refused, UsageError } from '../shared/exit-codes.js';
import { asRequest } from '../shared/exported-event.js';
import { fetchSmall } from '../shared/fetch-small.js';
import { fault, print, printJson, table } from '../shared/output.js';
import { connect } from '../shared/settings.env.js';

interface Outcome {
  /** Line in the file, or position in the array, starting at 1. */
  at: number;
  outcome: PutOutcome['outcome'];
  event_id?: string;
  detail?: string;
}

export async function putEvents(file: string, { json, dryRun, ...flags }: Flags, context: Context): Promise<void> {
  const { events } = connect(context, flags, 'eventsUrl', { fetch: fetchSmall });
  const outcomes: Outcome[] = [];
  const count = (outcome: string): number => outcomes.filter((one) => one.outcome === outcome).length;
  context.leaves = () => `responses received for ${outcomes.length} events; it is safe to send all events again`;
  const places: number[] = [];
  const texts = async function* () {
    for await (const { at, event } of readEvents(file, context)) {
      places.push(at);
      yield event;
    }
  };
  try {
    for await (const put of events.putAll(texts(), { signal: context.signal, dryRun })) {
      const outcome = { at: places.shift()!, outcome: put.outcome, ...detailsOf(put) };
      outcomes.push(outcome);
      if (json) await printJson(context, outcome);
    }
  } finally {
    if (!json && outcomes.length > 0) await print(context, table(outcomes, ['at', 'outcome', 'event_id', 'detail']));
    if (!json && dryRun) await print(context, 'Dry run: nothing was recorded.');
  }
  const [refused, skipped] = [count('refused'), count('skipped')];
  const others = skipped > 0 ? `, ${skipped} later events of the same entities skipped` : '';
  if (refused > 0) throw new Refused(`${refused} of ${outcomes.length} events refused${others}`);
}

function detailsOf(put: PutOutcome): Pick<Outcome, 'event_id' | 'detail'> {
  if (put.outcome === 'skipped') return { detail: 'an earlier event of the entity was refused' };
  if (put.outcome !== 'refused') return { event_id: put.event?.event_id };
  const { code, detail, errors } = put.error;
  return { detail: `${code}: ${errors.length > 0 ? errors.map(fault).join('; ') : detail}` };
}

/** Reads the JSON text of each event: from a document with one event or an array of events, or from one event per line. */
async function* readEvents(file: string, { stdin, signal }: Context): AsyncGenerator<{ at: number; event: string }> {
  const input = file === '-' ? stdin : createReadStream(file);
  // readline does not report errors from its input.
  const failed = new Promise<never>((_, reject) => input.once('error', reject));
  failed.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Infinity, signal })[Symbol.asyncIterator]();
  let text = '';
  let isPerLine: boolean | undefined;
  for (let line = 1; ; line++) {
    const next: IteratorResult<string, unknown> = await Promise.race([lines.next(), failed]);
    if (next.done) break;
    // Programs on Windows write a byte order mark.
    const value = line === 1 ? next.value.replace(/^\ufeff/, '') : next.value;
    // The first non-blank line shows whether the file has one event per line.
    if (isPerLine === undefined && value.trim() !== '') isPerLine = isEvent(value);
    if (!isPerLine) text += `${value}\n`;
    else if (value.trim() !== '') yield { at: line, event: textOf(asRequest(parse(value, `line ${line} of ${file}`))) };
  }
  signal.throwIfAborted();
  if (isPerLine) return;
  if (text.trim() === '') throw new UsageError(`There is no event in ${file}`);
  for (const [index, event] of [parse(text, file)].flat().entries()) yield { at: index + 1, event: textOf(asRequest(event)) };
}

function isEvent(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Keeps numbers as written, however long; the service decides whether to accept them. */
function parse(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const [first = ''] = text.replace(/^[ \t\r\n]+/, '');
    const begins = /[!-~]/.test(first) ? '' : ` (it begins with U+${first.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')})`;
    throw new UsageError(`${where} is not valid JSON${begins}: ${(error as Error).message}`);
  }
}

const textOf = (event: unknown): string => stringify(event) ?? 'null';
