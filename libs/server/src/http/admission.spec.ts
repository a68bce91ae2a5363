import { Admission, type Refusal } from './admission.js';

/** Requests that are admitted stay until they are told to leave. */
function world(limits: { maxInFlight: number; maxWaiting: number }) {
  let time = 0;
  const admission = new Admission(limits, () => time);
  const admitted: string[] = [];
  const refused: [string, Refusal][] = [];
  const ask = (client: string, name = client) => {
    if (admission.refuses(client)) return refused.push([name, 'queue-full']);
    if (!admission.isOpenTo(client)) {
      return admission.wait({ client, since: time, admit: () => admitted.push(name), refuse: (reason) => refused.push([name, reason]) });
    }
    admission.enter(client);
    return admitted.push(name);
  };
  return { admission, admitted, refused, ask, pass: (ms: number) => (time += ms) };
}

test('what is over the bounds is refused at once', () => {
  const { admission, admitted, refused, ask } = world({ maxInFlight: 2, maxWaiting: 1 });
  for (const client of ['a', 'b', 'c', 'd']) ask(client);
  expect([admitted, refused]).toEqual([['a', 'b'], [['d', 'queue-full']]]);
  expect([admission.inFlight, admission.waiting]).toEqual([2, 1]);
  admission.leave('a');
  admission.leave('b');
  expect(admitted).toEqual(['a', 'b', 'c']);
  expect([admission.inFlight, admission.waiting]).toEqual([1, 0]);
});

test('one client holds three quarters of the places at most, however many it asks for', () => {
  const { admitted, ask } = world({ maxInFlight: 8, maxWaiting: 100 });
  for (let i = 0; i < 50; i++) ask('greedy');
  expect(admitted).toEqual(Array<string>(6).fill('greedy'));
  for (const client of ['a', 'b', 'c']) ask(client);
  expect(admitted.slice(6)).toEqual(['a', 'b']);
});

test('who waits takes turns by client, and a client with one request waits for one turn', () => {
  const { admission, admitted, ask } = world({ maxInFlight: 2, maxWaiting: 100 });
  ask('x');
  ask('y');
  for (let i = 0; i < 20; i++) ask('greedy', `greedy ${i}`);
  ask('modest');
  admission.leave('x');
  admission.leave('y');
  admission.leave('greedy');
  expect(admitted).toEqual(['x', 'y', 'greedy 0', 'modest', 'greedy 1']);
});

test('when all places to wait are taken, the client that has most of them makes room', () => {
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

test('many may wait in a burst, and few when it does not end', () => {
  const { admission, refused, ask, pass } = world({ maxInFlight: 1, maxWaiting: 8 });
  for (let i = 0; i < 9; i++) ask('a', `a${i}`);
  expect([admission.waiting, refused]).toEqual([8, []]);
  pass(249);
  for (let i = 0; i < 7; i++) admission.leave('a');
  ask('a', 'a9');
  ask('a', 'a10');
  expect([admission.waiting, refused]).toEqual([3, []]);
  pass(1);
  ask('a', 'a11');
  expect([admission.waiting, refused]).toEqual([3, [['a11', 'queue-full']]]);
  for (let i = 0; i < 3; i++) admission.leave('a');
  for (let i = 0; i < 8; i++) ask('a');
  expect([admission.waiting, refused.length]).toEqual([8, 1]);
});

test('nobody waits for longer than half a second', async () => {
  const { admission, refused, ask, pass } = world({ maxInFlight: 1, maxWaiting: 5 });
  for (const name of ['a', 'b']) ask(name);
  pass(300);
  ask('c');
  pass(300);
  while (refused.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(refused).toEqual([['b', 'queue-timeout']]);
  admission.leave('a');
  expect(admission.waiting).toBe(0);
});

test('who has left takes no place', () => {
  const { admission, admitted, ask } = world({ maxInFlight: 1, maxWaiting: 3 });
  ask('a');
  const gone = { client: 'b', since: 0, admit: () => admitted.push('gone'), refuse: () => undefined };
  admission.wait(gone);
  ask('c');
  admission.withdraw(gone);
  admission.leave('a');
  expect(admitted).toEqual(['a', 'c']);
});
