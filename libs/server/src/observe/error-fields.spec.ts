import { errorFields } from './error-fields.js';

test('the log has no part of a value that the database could not read, and none of the row', () => {
  const value = 'Anna said "call me" and "soon"';
  const cause = Object.assign(new Error(`invalid input syntax for type uuid: "${value}"`), {
    code: '22P02',
    table: 'event',
    detail: value,
    where: value,
    parameters: [value],
  });
  const fields = errorFields(new Error('failed', { cause }));
  expect(fields.cause).toMatchObject({ code: '22P02', table: 'event', message: 'invalid input syntax for type uuid: "..."' });
  expect(JSON.stringify(fields)).not.toMatch(/Anna|call|soon/);
});
