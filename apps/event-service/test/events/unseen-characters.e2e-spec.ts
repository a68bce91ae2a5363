import { activation, type Events, newEntity, notification, offenders, startEvents } from './events.js';

let events: Events;
beforeAll(async () => void (events = await startEvents()));
afterAll(() => events.service.close());

const LOOK_ALIKES = ['FIBRE ', ' FIBRE', 'FIBRE\u00a0', 'FI\tBRE', 'FIBRE\u200b', 'FI\u00adBRE', '\ufeffFIBRE', 'FI\u2060BRE'];

test.each(['option82', 'partner_reference', 'article_codes'])('%s is refused if it only looks like another', async (member) => {
  for (const value of LOOK_ALIKES) {
    const isList = member === 'article_codes';
    const sys_attributes = { ...(activation('', 1).sys_attributes as object), [member]: isList ? ['OTHER', value] : value };
    const pointer = `#/sys_attributes/${member}${isList ? '/1' : ''}`;
    expect([value, await events.refused(activation(newEntity(), 1, { sys_attributes }))]).toEqual([value, [pointer]]);
    expect([value, await events.refused(notification(newEntity(), 1, { sys_attributes }))]).toEqual([value, [pointer]]);
  }
});

test("your own reference is refused, with the character and its place, and a closing's too", async () => {
  for (const value of LOOK_ALIKES) {
    const recorded = await events.put(activation(newEntity(), 1, { usr_reference: value }));
    expect(recorded.body.errors).toEqual([
      { pointer: '#/usr_reference', detail: expect.stringMatching(/U\+[0-9A-F]{4} as character \d$/) },
    ]);
    const closed = await events.client.post('/api/v2/sys/closings/').send({ from: '2026-01-01', to: '2026-02-01', reference: value });
    expect([closed.status, offenders(closed)]).toEqual([422, ['#/reference']]);
  }
});

test('a comment may have any layout', async () => {
  await events.record(activation(newEntity(), 1, { comment: ' two\nlines\t' }));
});

test('the name of an ISP has no white space at its ends and no control characters', async () => {
  for (const name of ['Donau ', '\u00a0Donau', 'Do\nnau']) {
    const created = await events.client.post('/api/v2/sys/isps/').send({ name });
    expect([created.status, offenders(created)]).toEqual([422, ['#/name']]);
  }
});
