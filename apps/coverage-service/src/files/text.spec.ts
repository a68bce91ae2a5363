import { setImmediate as nextTurn } from 'node:timers/promises';
import { textOf } from './text.js';

const PIECES = 40;

/** Works for a millisecond, as the checks of a row do. */
function work(): void {
  for (const end = performance.now() + 1; performance.now() < end;);
}

test('in a turn of the event loop, only one file is read, however many are there', async () => {
  let [turn, isOver] = [0, false];
  const readers: Set<string>[] = [];
  const read = async (name: string): Promise<void> => {
    const bytes = (async function* () {
      yield await Promise.resolve(Buffer.alloc(512 * PIECES, 'a'));
    })();
    for await (const piece of textOf(bytes, new AbortController().signal)) {
      if (piece === '') continue;
      work();
      (readers[turn] ??= new Set()).add(name);
    }
  };
  const counting = (async () => {
    for (; !isOver; turn++) await nextTurn();
  })();
  await Promise.all(['first', 'second', 'third'].map(read));
  isOver = true;
  await counting;
  const later = readers.slice(1).filter(Boolean);
  expect(later.length).toBeGreaterThan(PIECES / 5);
  expect(later.filter(({ size }) => size > 1)).toEqual([]);
});
