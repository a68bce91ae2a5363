import type { FibreClient, Webhook } from '@fibre/client';
import type { Scope } from '../../configuration.js';
import { type Loaded, useLoad } from '../../hooks/use-load.js';
import { useApp, useScopes } from '../../session/context.js';
import { defineTexts } from '../../texts.js';

/** The feeds that a webhook may follow, each with the scope needed to manage such a webhook. */
export const FEEDS = { nodes: 'coverage:write', search: 'coverage:search', events: 'events:write' } as const satisfies Record<
  string,
  Scope
>;
export type Feed = keyof typeof FEEDS;

/** The webhooks of the service that provides the feed. */
export const webhooksOf = ({ coverage, events }: FibreClient, feed: string) => (feed === 'events' ? events : coverage).webhooks;

/** The webhooks of both services, newest first; a tenant has only a few. */
export function useWebhooks(): Loaded<Webhook[]> {
  const { coverage, events } = useApp().fibre;
  const scopes = useScopes();
  return useLoad(async (signal) => {
    const webhooks: Webhook[] = [];
    if (scopes.has('coverage:read') || scopes.has('coverage:search'))
      for await (const webhook of coverage.webhooks.list({ _order: 'desc' }, { signal })) webhooks.push(webhook);
    if (scopes.has('events:read')) for await (const webhook of events.webhooks.list({ _order: 'desc' }, { signal })) webhooks.push(webhook);
    return webhooks;
  }, '');
}

/** Whether the last batch did not arrive, or the place in the feed is lost. */
export const isInTrouble = ({ last_error }: Webhook): boolean => last_error !== undefined;

/** What a webhook is called. */
export const nameOf = ({ description, url }: Webhook): string => description ?? texts().webhookTo(new URL(url).host);

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
  failingFor: [
    (since: string) =>
      `No delivery has succeeded since ${since}. The service tries again, at least every 75 minutes; after three days without success, it switches the webhook off.`,
    (since) =>
      `Seit ${since} ist keine Zustellung gelungen. Der Dienst versucht es weiter, mindestens alle 75 Minuten; nach drei Tagen ohne Erfolg schaltet er den Webhook ab.`,
  ],
  gaveUp: [
    (since: string) =>
      `This webhook is switched off; nothing is sent. No delivery has succeeded since ${since}, and after three days without success, the service switches a webhook off.`,
    (since) =>
      `Dieser Webhook ist abgeschaltet, es wird nichts gesendet. Seit ${since} ist keine Zustellung gelungen, und nach drei Tagen ohne Erfolg schaltet der Dienst einen Webhook ab.`,
  ],
  toDo: [
    'Put the receiver right, send a test, and then enable the webhook: sending resumes where it stopped.',
    'Bringen Sie den Empfänger in Ordnung, senden Sie einen Test, und schalten Sie den Webhook dann ein: Es geht dort weiter, wo es aufgehört hat.',
  ],
  placeGone: [
    'This webhook is switched off; nothing is sent. It was off for so long that some deletions can no longer be sent: make a new copy of the data, and create another webhook.',
    'Dieser Webhook ist abgeschaltet, es wird nichts gesendet. Er war so lange abgeschaltet, dass manche Löschungen nicht mehr gesendet werden können: Legen Sie eine neue Kopie der Daten und einen neuen Webhook an.',
  ],
  answered: [(status: number) => `Last answer: ${status}.`, (status) => `Letzte Antwort: ${status}.`],
  didNotAnswer: ['There was no answer.', 'Es gab keine Antwort.'],
  mediaType: ['(Let the receiver read this type as JSON.)', '(Der Empfänger muss diesen Typ als JSON lesen.)'],
  wasRead: [
    'Check that it has read one event: some receivers answer like this and leave the body of type application/cloudevents-batch+json unread.',
    'Prüfen Sie, ob er ein Ereignis gelesen hat: Manche Empfänger antworten so und lesen den Inhalt vom Typ application/cloudevents-batch+json gar nicht.',
  ],
  ofRelation: ['Only of one relation', 'Nur einer Relation'],
  since: ['Changes since', 'Änderungen seit'],
  sinceHint: [
    'Empty: from now on. An earlier time sends what has changed since.',
    'Leer: ab jetzt. Ein früherer Zeitpunkt sendet auch, was sich seither geändert hat.',
  ],
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
