import type { ComponentType } from 'preact';
import { defineTexts } from '../texts.js';
import { lazyPage } from '../ui/lazy-page.js';

const texts = defineTexts(
  {
    organisation: 'Organisation',
    relations: 'Relations',
    relationsSummary: 'Create a relation and get the relation_id that every access node needs',
    coverage: 'Coverage',
    coverageSummary: 'Access nodes on the map: search, import, merge and export',
    entities: 'Entities',
    entitiesSummary: 'What each billable entity is, and its timeline',
    isps: 'ISPs',
    ispsSummary: 'The internet service providers that sell on the network',
  },
  {
    organisation: 'Organisation',
    relations: 'Relationen',
    relationsSummary: 'Eine Relation anlegen und die relation_id erhalten, die jeder Zugangsknoten braucht',
    coverage: 'Abdeckung',
    coverageSummary: 'Zugangsknoten auf der Karte: suchen, importieren, zusammenführen und exportieren',
    entities: 'Entitäten',
    entitiesSummary: 'Was jede abrechenbare Entität ist, und ihr Verlauf',
    isps: 'ISPs',
    ispsSummary: 'Die Internetanbieter, die im Netz verkaufen',
  },
);

interface PageEntry {
  readonly name: string;
  /** Below the portal's own path. */
  readonly path: string;
  readonly title: () => string;
  readonly summary: () => string;
  readonly children?: undefined;
}
interface Group {
  readonly name: string;
  readonly title: () => string;
  readonly children: readonly PageEntry[];
}
export type MenuEntry = PageEntry | Group;

const entry = (name: 'relations' | 'coverage' | 'entities' | 'isps'): PageEntry => ({
  name,
  path: name,
  title: () => texts()[name],
  summary: () => texts()[`${name}Summary`],
});

export const MENU: readonly MenuEntry[] = [
  { name: 'organisation', title: () => texts().organisation, children: [entry('relations')] },
  entry('coverage'),
  entry('entities'),
  entry('isps'),
];

/** Every page by its path, loaded when somebody goes there. `:relation_id` and the like come from `useRoute().params`. */
export const PAGES: readonly { readonly path: string; readonly component: ComponentType }[] = [
  { path: 'relations', component: lazyPage(async () => (await import('./relations/relations-page.js')).RelationsPage) },
  { path: 'relations/new', component: lazyPage(async () => (await import('./relations/new-relation-page.js')).NewRelationPage) },
  { path: 'relations/:relation_id', component: lazyPage(async () => (await import('./relations/relation-page.js')).RelationPage) },
  { path: 'coverage', component: lazyPage(async () => (await import('./coverage/coverage-page.js')).CoveragePage) },
  { path: 'entities', component: lazyPage(async () => (await import('./entities/entities-page.js')).EntitiesPage) },
  { path: 'entities/new', component: lazyPage(async () => (await import('./entities/record/record-event-page.js')).NewEntityPage) },
  { path: 'entities/:entity_id', component: lazyPage(async () => (await import('./entities/entity-page.js')).EntityPage) },
  {
    path: 'entities/:entity_id/record',
    component: lazyPage(async () => (await import('./entities/record/record-event-page.js')).RecordEventPage),
  },
  { path: 'isps', component: lazyPage(async () => (await import('./isps/isps-page.js')).IspsPage) },
  { path: 'isps/new', component: lazyPage(async () => (await import('./isps/new-isp-page.js')).NewIspPage) },
  { path: 'isps/:partner_id', component: lazyPage(async () => (await import('./isps/isp-page.js')).IspPage) },
];
