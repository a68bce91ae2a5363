import type { ComponentType } from 'preact';
import type { Scope } from '../configuration.js';
import { defineTexts } from '../texts.js';
import { lazyPage } from '../ui/lazy-page.js';

const texts = defineTexts(
  {
    organisation: 'Organisation',
    relations: 'Relations',
    relationsSummary: 'Create a relation and get the relation_id that every access node needs',
    coverage: 'Coverage',
    search: 'Search',
    searchSummary: 'Find access nodes around a place',
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
    search: 'Suche',
    searchSummary: 'Zugangsknoten rund um einen Ort finden',
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
  /** The page is for people who have one of these. */
  readonly scopes: readonly Scope[];
  readonly children?: undefined;
}
interface Group {
  readonly name: string;
  readonly title: () => string;
  readonly children: readonly PageEntry[];
}
export type MenuEntry = PageEntry | Group;

const entry = (
  name: 'relations' | 'coverage' | 'search' | 'entities' | 'isps',
  scopes: readonly Scope[],
  path: string = name,
): PageEntry => ({ name, path, title: () => texts()[name], summary: () => texts()[`${name}Summary`], scopes });

const SEARCH_ONLY = entry('search', ['coverage:search'], 'coverage');
const MENU: readonly MenuEntry[] = [
  { name: 'organisation', title: () => texts().organisation, children: [entry('relations', ['coverage:read'])] },
  entry('coverage', ['coverage:read']),
  entry('entities', ['events:read']),
  entry('isps', ['events:read']),
];

/** Whether a page is for somebody with these scopes. */
export const isFor = (scopes: ReadonlySet<Scope>, { scopes: needed }: { scopes: readonly Scope[] }): boolean =>
  needed.some((scope) => scopes.has(scope));

/** What somebody with these scopes can do. */
export function menuFor(scopes: ReadonlySet<Scope>): readonly MenuEntry[] {
  const entries = MENU.filter((one) => (one.children ?? [one]).some((child) => isFor(scopes, child)));
  return !scopes.has('coverage:read') && isFor(scopes, SEARCH_ONLY) ? [SEARCH_ONLY, ...entries] : entries;
}

/** Every page by its path, loaded when somebody goes there. `:relation_id` and the like come from `useRoute().params`. */
export const PAGES: readonly { readonly path: string; readonly scopes: readonly Scope[]; readonly component: ComponentType }[] = [
  one('relations', 'coverage:read', async () => (await import('./relations/relations-page.js')).RelationsPage),
  one('relations/new', 'coverage:write', async () => (await import('./relations/new-relation-page.js')).NewRelationPage),
  one('relations/:relation_id', 'coverage:read', async () => (await import('./relations/relation-page.js')).RelationPage),
  {
    path: 'coverage',
    scopes: ['coverage:read', 'coverage:search'],
    component: lazyPage(async () => (await import('./coverage/coverage-page.js')).CoveragePage),
  },
  one('entities', 'events:read', async () => (await import('./entities/entities-page.js')).EntitiesPage),
  one('entities/new', 'events:write', async () => (await import('./entities/record/record-event-page.js')).NewEntityPage),
  one('entities/:entity_id', 'events:read', async () => (await import('./entities/entity-page.js')).EntityPage),
  one('entities/:entity_id/record', 'events:write', async () => (await import('./entities/record/record-event-page.js')).RecordEventPage),
  one('isps', 'events:read', async () => (await import('./isps/isps-page.js')).IspsPage),
  one('isps/new', 'events:write', async () => (await import('./isps/new-isp-page.js')).NewIspPage),
  one('isps/:partner_id', 'events:read', async () => (await import('./isps/isp-page.js')).IspPage),
];

function one(path: string, scope: Scope, load: () => Promise<ComponentType>) {
  return { path, scopes: [scope], component: lazyPage(load) };
}
