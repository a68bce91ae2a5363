import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, Limits } from '@fibre/database';
import { startTestService, type TestService, until } from '@fibre/testing';
import { coverageService } from '../../src/coverage-service.js';
import { Spool } from '../../src/files/spool.js';

/** Milliseconds after which this file's services are asked; the check itself waits longer. */
const AT_ONCE = 0;

let service: TestService;
beforeAll(async () => void (service = await startTestService(coverageService)));
afterAll(() => service.close());

const share = (name: string, amount = 1) => {
  const limit = [...service.app.get(Limits)].find((each) => each.name === name)!;
  const taken = limit.ask('somebody', amount);
  return () => taken.close();
};

test.each<[string, () => (() => void) | Promise<() => void>]>([
  ['1 requests', () => share('requests')],
  ['700 body bytes', () => share('body bytes', 700)],
  ['1 imports', () => share('imports')],
  [
    '1 connections to the primary',
    async () => {
      let end!: () => void;
      const held = new Promise<void>((resolve) => (end = resolve));
      const begun = new Promise<void>((resolve) => {
        void service.app.get(Database).transaction(async (run) => {
          await run({ name: 'leak', text: 'select 1', values: [] });
          resolve();
          await held;
        });
      });
      await begun;
      return end;
    },
  ],
  [
    '70000 spool bytes, 1 temporary files',
    async () => {
      let end!: () => void;
      const held = new Promise<void>((resolve) => (end = resolve));
      const begun = new Promise<void>((resolve) => {
        void service.app.get(Spool).withFile(async (file) => {
          await file.write('x'.repeat(70_000));
          resolve();
          await held;
        });
      });
      await begun;
      return end;
    },
  ],
])('a test that leaves %s behind fails', async (leak, plant) => {
  const giveBack = await plant();
  // Work in the background takes a connection for a moment, too.
  await until(`only ${leak} are left`, async () => (await service.leaks(AT_ONCE)).join(', ') === leak);
  giveBack();
  expect(await service.leaks()).toEqual([]);
});

test("another thread's temporary file is not a leak of this service", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'leaks-'));
  const file = await open(join(folder, 'file'), 'wx+');
  await rm(folder, { recursive: true });
  try {
    expect(await service.leaks()).toEqual([]);
  } finally {
    await file.close();
  }
});
