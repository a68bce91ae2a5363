import type { Fault } from '../fault.js';

/** What leaves the services: to receivers, and through the client and `fibre`. */
export const WEBHOOKS_AND_CLIENT: readonly Fault[] = [
  {
    rule: 'the place of a webhook moves after the receiver answers',
    file: 'libs/webhooks/src/sending/webhook-delivery.ts',
    edits: [
      [
        'const { delivered, status, error } = await this.sender.send(webhook, id, events);',
        'await moveAlong(settledUntil);\n    const { delivered, status, error } = await this.sender.send(webhook, id, events);',
      ],
    ],
    caughtBy: ['coverage-service', 'node-changes/webhook-crash'],
  },
  {
    rule: 'batches of two webhooks have ids of their own, because one receiver may have both',
    file: 'libs/webhooks/src/sending/webhook-delivery.ts',
    edits: [['messageId(webhook.webhook_id, webhook.place, end)', 'messageId(webhook.place, end)']],
    caughtBy: ['coverage-service', 'node-changes/webhook-delivery'],
  },
  {
    rule: 'nothing is sent to a receiver with an address that is not public',
    file: 'libs/webhooks/src/sending/receiver-addresses.ts',
    edits: [['found.every((one) =>', 'found.some((one) =>']],
    caughtBy: ['coverage-service', 'node-changes/webhook-addresses'],
  },
  {
    rule: 'the client does not send a write again whose outcome is unknown',
    file: 'libs/client/src/transport.ts',
    edits: [['wait === undefined || (!repeatable && (await isOutcomeUnknown(answer)))', 'wait === undefined']],
    caughtBy: ['client', 'test/retries'],
  },
  {
    rule: 'the place in a feed moves after its page is handled',
    file: 'libs/client/src/changes.ts',
    edits: [
      [
        'if (items.length > 0) yield { items, place };\n      this.#place = place;',
        'this.#place = place;\n      if (items.length > 0) yield { items, place };',
      ],
    ],
    caughtBy: ['client', 'test/changes'],
  },
  {
    rule: 'events of an entity are sent in order, however its id is written',
    file: 'libs/client/src/events/put-all.ts',
    edits: [['entity_id.toLowerCase()', 'entity_id']],
    caughtBy: ['client', 'test/put-all'],
  },
  {
    rule: 'fibre prints a table of any number of rows',
    file: 'libs/client/src/cli/shared/output.ts',
    edits: [['rows.reduce((most, row) => Math.max(most, row[i]!.length), 0)', 'Math.max(...rows.map((row) => row[i]!.length))']],
    caughtBy: ['client', 'command-line/command-line'],
  },
  {
    rule: 'a file that broke off does not look whole',
    file: 'libs/client/src/files/download.ts',
    edits: [['mayBeEmpty : new TextDecoder().decode(last).endsWith(end)', 'mayBeEmpty : end.length > 0']],
    caughtBy: ['client', 'test/whole-files'],
  },
  {
    rule: 'a text of a spreadsheet stays a text, even if it looks like a number',
    file: 'libs/client/src/files/spreadsheet.ts',
    edits: [[': escaped(value);', ': Number(value) ? Number(value) : escaped(value);']],
    caughtBy: ['client', 'command-line/spreadsheets'],
  },
];
