import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kind, pick } from './kind.js';
import { isLinearizable, type Operation } from './linearizable.js';
import type { Replica } from './stack.js';

const CLIENTS = 4;
const PER_CLIENT = 6;
const PAUSE_MS = 50;
/** Longer than any fault lasts. */
const GIVE_UP_MS = 120_000;

/** What the requests about one entity or relation showed. */
export interface History {
  readonly key: string;
  readonly operations: readonly Operation<unknown, unknown>[];
  /** May take many seconds if many answers were lost, so it must not be asked while there is traffic. */
  isLinearizable(): boolean;
  /** Ids of records that were acknowledged, and of those that the last list returned. */
  readonly created: readonly string[];
  readonly remaining: readonly string[];
}

/** Numbers of attempts, and the times of acknowledgements. */
export class Tally {
  requests = 0;
  unknown = 0;
  readonly acknowledged: number[] = [];
}

/** Several clients send requests about one key to all replicas at once. Requests that were refused without effect are not part of the history. */
export async function record<Input, Output>(
  kind: Kind<Input, Output>,
  replicas: readonly Pick<Replica, 'url'>[],
  token: string,
  tally: Tally,
): Promise<History> {
  const key = randomUUID();
  const operations: Operation<Input, Output>[] = [];
  const seen: Output[] = [];
  const note = (operation: Operation<Input, Output>): void => {
    const first = kind.firstStep?.(operation.input);
    if (first) operations.push({ ...operation, input: first, output: undefined });
    operations.push(operation);
  };
  const run = async (input: Input): Promise<void> => {
    const begin = performance.now();
    for (;;) {
      const start = performance.now();
      if (start > begin + GIVE_UP_MS) throw new Error(`no answer to ${JSON.stringify(input)} in ${GIVE_UP_MS / 1_000} s`);
      tally.requests++;
      const answer = await kind.request(key, input, pick(replicas).url, token).catch((error: NodeJS.ErrnoException) => error);
      const end = performance.now();
      if (answer instanceof Error && answer.code === 'ABORT_ERR')
        throw new Error(`no answer to ${JSON.stringify(input)}`, { cause: answer });
      const isRead = ['list', 'read'].includes((input as { do: string }).do);
      if (answer instanceof Error && (answer.code === 'ECONNREFUSED' || isRead)) await sleep(PAUSE_MS);
      else if (answer instanceof Error || (answer.body as { code?: string } | null)?.code === 'outcome-unknown') {
        tally.unknown++;
        note({ input, start, end: Infinity });
        return;
      } else if (answer.status === 503) await sleep(PAUSE_MS);
      else {
        const output = kind.output(input, answer);
        note({ input, start, end, output });
        seen.push(output);
        tally.acknowledged.push(end);
        return;
      }
    }
  };
  const client = async (): Promise<void> => {
    for (let n = 0; n < PER_CLIENT; n++) await run(kind.choose(key, seen));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  for (const input of kind.lists) await run(input);
  return {
    key,
    operations,
    isLinearizable: () => isLinearizable(operations, kind.model),
    created: operations.flatMap(({ output }) => ((output as { status?: number } | undefined)?.status === 201 ? kind.idsOf(output!) : [])),
    remaining: operations.slice(-kind.lists.length).flatMap(({ output }) => (output ? kind.idsOf(output) : [])),
  };
}
