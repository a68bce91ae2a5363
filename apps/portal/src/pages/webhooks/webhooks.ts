import type { FibreClient } from '@fibre/client';
import type { Scope } from '../../configuration.js';
import { defineTexts } from '../../texts.js';

/** The feeds that a webhook may follow, each with the scope needed to manage such a webhook. */
export const FEEDS = { nodes: 'coverage:write', search: 'coverage:search', events: 'events:write' } as const satisfies Record<
  string,
  Scope
>;
export type Feed = keyof typeof FEEDS;

/** The webhooks of the service that provides the feed. */
export const webhooksOf = ({ coverage, events }: FibreClient, feed: string) => (feed === 'events' ? events : coverage).webhooks;

export const texts = defineTexts({
  explanation: ['Changes are sent to your systems, in order and signed.', 'Änderungen gehen signiert und der Reihe nach an Ihre Systeme.'],
  none: ['There are no webhooks yet.', 'Es gibt noch keine Webhooks.'],
  create: ['New webhook', 'Neuer Webhook'],
  url: ['URL', 'URL'],
  urlHint: ['An https URL of your system.', 'Eine https-Adresse Ihres Systems.'],
  feed: ['What is sent', 'Was gesendet wird'],
  nodes: ['Changes to your access nodes', 'Änderungen Ihrer Zugangsknoten'],
  search: ['Changes to the coverage of all operators', 'Änderungen der Abdeckung aller Betreiber'],
  events: ['Changes to events', 'Änderungen von Ereignissen'],
  description: ['Description', 'Beschreibung'],
  active: ['Active', 'Aktiv'],
  failing: ['Failing; will be retried', 'Gestört; wird wiederholt'],
  disabled: ['Disabled', 'Abgeschaltet'],
  deliveredUntil: ['Delivered until', 'Zugestellt bis'],
  webhook: ['Webhook', 'Webhook'],
  webhookTo: [(host: string) => `Webhook to ${host}`, (host) => `Webhook an ${host}`],
  deliveries: ['Deliveries', 'Zustellung'],
  lastAnswer: ['Last answer', 'Letzte Antwort'],
  noAnswer: ['none', 'keine'],
  failingSince: ['Failing since', 'Gestört seit'],
  lastError: ['Last error', 'Letzter Fehler'],
  save: ['Create webhook', 'Webhook anlegen'],
  secret: ['Secret', 'Geheimnis'],
  secretWhy: ['For the signatures. Copy it now. It will not be shown again.', 'Für die Signaturen. Jetzt kopieren, nur hier zu sehen.'],
  secretRotated: ['For one day, batches are also signed with the old secret.', 'Einen Tag lang signiert auch noch das bisherige.'],
  toWebhook: ['Show the webhook', 'Webhook anzeigen'],
  test: ['Send a test', 'Test senden'],
  tested: [(status: number) => `The test was received (${status}).`, (status) => `Der Test ist angekommen (${status}).`],
  notTested: ['The test was not received:', 'Der Test ist nicht angekommen:'],
  rotate: ['New secret', 'Neues Geheimnis'],
  enable: ['Enable', 'Einschalten'],
  disable: ['Disable', 'Abschalten'],
  enabled: ['Enabled. Sending resumes within 30 seconds where it stopped.', 'Eingeschaltet. In 30 Sekunden geht es weiter.'],
  remove: ['Delete the webhook', 'Webhook löschen'],
  removeTitle: ['Delete this webhook?', 'Diesen Webhook löschen?'],
  removeWarning: ['Nothing more will be sent to this address.', 'An diese Adresse wird nichts mehr gesendet.'],
  removed: ['The webhook was deleted', 'Der Webhook wurde gelöscht'],
  lacks: ['You are not allowed to create webhooks.', 'Sie dürfen keine Webhooks anlegen.'],
});
