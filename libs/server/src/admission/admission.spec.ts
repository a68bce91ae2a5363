import { Admission, type Refusal } from './admission.js';

/** Admitted requests keep their slots until a test ends them. */
function world(limits: { maxInFlight: number; maxWaiting: number }) {
  const admission = new Admission(limits);
  const admitted: string[] = [];
  const refused: [string, Refusal][] = [];
  const leave = new Map<string, () => void>();
  const ask = (client: string, name = client) => {
    leave.set(
      name,
      admission.enter(client, (reason) => (reason ? refused.push([name, reason]) : admitted.push(name))),
    );
  };
  return { admission, admitted, refused, ask, leave: (name: string) => leave.get(name)!() };
}

test('requests above the limits are rejected at once', () => {
  const { admission, admitted, refused, ask, leave } = world({ maxInFlight: 2, maxWaiting: 1 });
  for (const client of ['a', 'b', 'c', 'd']) ask(client);
  expect([admitted, refused]).toEqual([['a', 'b'], [['d', 'queue-full']]]);
  expect([admission.inFlight, admission.waiting]).toEqual([2, 1]);
  leave('a');
  leave('b');
  leave('d');
  expect(admitted).toEqual(['a', 'b', 'c']);
  expect([admission.inFlight, admission.waiting]).toEqual([1, 0]);
});

test('one client gets at most half of the slots', () => {
  const { admitted, ask } = world({ maxInFlight: 8, maxWaiting: 100 });
  for (let i = 0; i < 50; i++) ask('greedy');
  expect(admitted).toEqual(Array<string>(4).fill('greedy'));
  for (const client of ['a', 'b', 'c', 'd', 'e']) ask(client);
  expect(admitted.slice(4)).toEqual(['a', 'b', 'c', 'd']);
});

test('clients take turns in the queue, and a client with one request waits for one turn', () => {
  const { admitted, ask, leave } = world({ maxInFlight: 2, maxWaiting: 100 });
  ask('x');
  ask('y');
  for (let i = 0; i < 20; i++) ask('greedy', `greedy ${i}`);
  ask('modest');
  leave('x');
  leave('y');
  leave('greedy 0');
  expect(admitted).toEqual(['x', 'y', 'greedy 0', 'modest', 'greedy 1']);
});

test('when the queue is full, the client with the most waiting requests makes room', () => {
  const { refused, ask } = world({ maxInFlight: 1, maxWaiting: 4 });
  ask('first');
  for (let i = 0; i < 4; i++) ask('greedy', `greedy ${i}`);
  ask('modest');
  ask('greedy', 'greedy 4');
  expect(refused).toEqual([
    ['greedy 3', 'queue-full'],
    ['greedy 4', 'queue-full'],
  ]);
});

test('no request waits longer than half a second', async () => {
  const { admission, admitted, refused, ask, leave } = world({ maxInFlight: 1, maxWaiting: 5 });
  for (const name of ['a', 'b']) ask(name);
  const begin = performance.now();
  while (refused.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(performance.now() - begin).toBeGreaterThan(400);
  expect(refused).toEqual([['b', 'queue-timeout']]);
  leave('a');
  expect([admitted, admission.inFlight, admission.waiting]).toEqual([['a'], 0, 0]);
});

test('a client that disconnects while it waits does not take a slot', () => {
  const { admission, admitted, ask, leave } = world({ maxInFlight: 1, maxWaiting: 3 });
  for (const client of ['a', 'gone', 'c']) ask(client);
  leave('gone');
  leave('a');
  expect(admitted).toEqual(['a', 'c']);
  leave('c');
  expect([admission.inFlight, admission.waiting]).toEqual([0, 0]);
});
