import { Admission, type Refusal } from './admission.js';

/** Requests that are admitted stay until they are told to leave. */
function world(limits: { maxInFlight: number; maxWaiting: number }) {
  let time = 0;
  const admission = new Admission(limits, () => time);
  const admitted: string[] = [];
  const refused: [string, Refusal][] = [];
  const ask = (client: string, name = client) => {
    admission.apply({ client, since: time, admit: () => admitted.push(name), refuse: (reason) => refused.push([name, reason]) });
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

test('one client holds half of the places at most, however many it asks for', () => {
  const { admitted, ask } = world({ maxInFlight: 8, maxWaiting: 100 });
  for (let i = 0; i < 50; i++) ask('greedy');
  expect(admitted).toEqual(Array<string>(4).fill('greedy'));
  for (const client of ['a', 'b', 'c', 'd']) ask(client);
  expect(admitted.slice(4)).toEqual(['a', 'b', 'c', 'd']);
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

test('in order while nobody is refused, the newest first once there are too many', () => {
  const { admission, admitted, ask, pass } = world({ maxInFlight: 1, maxWaiting: 3 });
  for (let i = 0; i < 4; i++) ask('a', `a${i}`);
  admission.leave('a');
  expect(admitted).toEqual(['a0', 'a1']);
  ask('a', 'a4');
  ask('a', 'refused');
  admission.leave('a');
  expect(admitted).toEqual(['a0', 'a1', 'a4']);
  pass(1_000);
  admission.leave('a');
  expect(admitted).toEqual(['a0', 'a1', 'a4', 'a2']);
});

test('who has left takes no place', () => {
  const { admission, admitted, ask } = world({ maxInFlight: 1, maxWaiting: 3 });
  ask('a');
  const gone = { client: 'b', since: 0, admit: () => admitted.push('gone'), refuse: () => undefined };
  admission.apply(gone);
  ask('c');
  admission.withdraw(gone);
  admission.leave('a');
  expect(admitted).toEqual(['a', 'c']);
});
