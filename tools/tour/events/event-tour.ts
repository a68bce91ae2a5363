import { randomUUID } from 'node:crypto';
import { demoClient } from '../../dev-issuer/demo-clients.js';
import { HOST, ISSUER_PORT } from '../../workspace.js';
import { Api } from '../api.js';
import { type Tour } from '../tour.js';
import { activateEntity, overwriteUserAttributes, repeatRequest } from './activate-entity.js';
import { deactivateEntity } from './deactivate-entity.js';
import { refuseFuture, refuseWrongOffset } from './event-times.js';
import { filterEvents, readLatest } from './filter-events.js';
import { insertIntoPast } from './insert-into-past.js';
import { readEvent } from './read-event.js';
import { refuseTakenTime, refuseWrongOrder } from './refuse-conflicts.js';
import { timesOfVisit } from './times.js';
import { useNamespace } from './use-namespace.js';
import { type Visit } from './visit.js';
import { walkEvents } from './walk-events.js';

const API = `http://${HOST}:3002`;
const ISSUER = `http://${HOST}:${ISSUER_PORT}`;

const STEPS = [
  ...[activateEntity, repeatRequest, overwriteUserAttributes],
  ...[refuseWrongOrder, refuseTakenTime, insertIntoPast, refuseFuture, refuseWrongOffset, deactivateEntity],
  ...[walkEvents, filterEvents, readLatest, readEvent, useNamespace],
];

export const eventTour: Tour = {
  title: 'Event API: the life of a subscription',
  source: 'Events: made up for this tour; they stay, since events are never deleted',
  async visit(signal) {
    const visit: Visit = {
      ano: await Api.connect(API, ISSUER, demoClient('ano-demo')),
      other: await Api.connect(API, ISSUER, demoClient('ano-other')),
      entityId: randomUUID(),
      namespace: `tour-${randomUUID()}`,
      times: timesOfVisit(),
      recorded: [],
    };
    for (const step of STEPS) {
      signal.throwIfAborted();
      await step(visit);
    }
  },
};
