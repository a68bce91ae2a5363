import { cloneDatabase, otherCollations } from '@fibre/testing';

test('no library of the server decides how texts are compared', async () => {
  const clone = await cloneDatabase();
  expect(await otherCollations(clone.url)).toEqual([]);
  await clone.drop();
});
