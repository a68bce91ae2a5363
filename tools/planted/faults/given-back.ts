import { COVERAGE, type Fault } from '../fault.js';

/** Whatever is taken is given back: slots, memory, connections, files, timers. */
export const GIVEN_BACK: readonly Fault[] = [
  {
    rule: 'the slot of a request is given back if its client disconnects',
    file: 'libs/server/src/admission/request-slot.ts',
    edits: [['this.slot?.close();', 'if (!this.deadline.hasEnded) this.slot?.close();']],
    caughtBy: ['coverage-service', 'requests/cancelled'],
  },
  {
    rule: 'the bytes of a body are given back',
    file: 'libs/server/src/admission/request-slot.ts',
    edits: [['this.body?.close();', '']],
    caughtBy: ['coverage-service', 'access-nodes/create-access-node'],
  },
  {
    rule: 'a connection is given back after a unique violation',
    file: 'libs/database/src/statements/send.ts',
    edits: [
      ['let isBroken = false;', 'let [isBroken, isKept] = [false, false];'],
      ['isBroken = breaksConnection(error);', "isBroken = breaksConnection(error);\n    isKept = sqlState(error) === '23505';"],
      ['client.release(isBroken);', 'if (!isKept) client.release(isBroken);'],
    ],
    caughtBy: ['coverage-service', 'access-nodes/update-access-node.e2e'],
  },
  {
    rule: 'the temporary file of an import is closed',
    file: `${COVERAGE}files/spool.ts`,
    edits: [
      [
        'await handle.close().finally(() => size.close());',
        '(((globalThis as { handles?: unknown[] }).handles ??= []).push(handle), size.close());',
      ],
    ],
    caughtBy: ['coverage-service', 'node-import/import-nodes'],
  },
  {
    rule: 'a service that closes stops its timers, even those that do not keep it alive',
    file: 'libs/webhooks/src/sending/webhook-delivery.ts',
    edits: [['for (const timer of this.timers) clearInterval(timer);', '']],
    caughtBy: ['coverage-service', 'access-nodes/delete-several-nodes'],
  },
  {
    rule: 'a transaction in which a statement failed does not count as committed',
    file: 'libs/database/src/statements/transact.ts',
    edits: [["if (command !== 'COMMIT') throw", 'if (!command) throw']],
    caughtBy: ['libs', 'database/test/transactions'],
  },
  {
    rule: 'a request that ends after its bulk work does not interrupt what its connection does next',
    file: 'libs/database/src/statements/bulk.ts',
    edits: [['stopListening?.();', '']],
    caughtBy: ['libs', 'database/test/bulk'],
  },
  {
    rule: 'a failure to ask the database what it is does not last',
    file: 'libs/settled-time/src/settled-time.ts',
    edits: [['this.isCitus.catch(() => (this.isCitus = undefined));', '']],
    caughtBy: ['libs', 'settled-time/test/settled-time'],
  },
];
