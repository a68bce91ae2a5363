import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import type { Scope } from '../configuration.js';
import { defineTexts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';

const texts = defineTexts({
  failed: ['This page could not be loaded', 'Diese Seite konnte nicht geladen werden'],
  why: ['The network is unavailable, or the portal was renewed.', 'Das Netz ist nicht erreichbar, oder das Portal wurde erneuert.'],
});

interface PageEntry {
  readonly name: 'relations' | 'webhooks' | 'coverage' | 'search' | 'entities' | 'events' | 'lines' | 'billing' | 'isps';
  /** Relative to the portal's path. */
  readonly path: string;
  /** A person needs one of these scopes to see the page. */
  readonly scopes: readonly Scope[];
  readonly children?: undefined;
}
export type MenuEntry = PageEntry | { readonly name: 'organisation'; readonly children: readonly PageEntry[] };

export const titleOf = ({ name }: MenuEntry): string => texts()[name];

const entry = (name: PageEntry['name'], scopes: readonly Scope[], path: string = name): PageEntry => ({ name, path, scopes });

const SEARCH_ONLY = entry('search', ['coverage:search'], 'coverage');
const MENU: readonly MenuEntry[] = [
  { name: 'organisation', children: [entry('relations', ['coverage:read']), entry('webhooks', ['coverage:read', 'events:read'])] },
  entry('coverage', ['coverage:read']),
  entry('entities', ['events:read']),
  entry('events', ['events:read']),
  entry('lines', ['charges:read']),
  entry('billing', ['events:read', 'charges:read']),
  entry('isps', ['events:read']),
];

/** Whether a person with these scopes may see a page. */
export const isFor = (scopes: ReadonlySet<Scope>, { scopes: needed }: { scopes: readonly Scope[] }): boolean =>
  needed.some((scope) => scopes.has(scope));

/** The menu for a person with these scopes. */
export function menuFor(scopes: ReadonlySet<Scope>): readonly MenuEntry[] {
  const entries = MENU.filter((one) => (one.children ?? [one]).some((child) => isFor(scopes, child)));
  return !scopes.has('coverage:read') && isFor(scopes, SEARCH_ONLY) ? [SEARCH_ONLY, ...entries] : entries;
}

/** Every page with its path, loaded on demand. `useRoute().params` contains the values of `:relation_id` and the like. */
export const PAGES: readonly { readonly path: string; readonly scopes: readonly Scope[]; readonly component: ComponentType }[] = [
  one('relations', 'coverage:read', async () => (await import('./relations/relations.js')).RelationsPage),
  one('relations/new', 'coverage:write', async () => (await import('./relations/relations.js')).NewRelationPage),
  one('relations/:relation_id', 'coverage:read', async () => (await import('./relations/relations.js')).RelationPage),
  one('coverage', ['coverage:read', 'coverage:search'], async () => (await import('./coverage/coverage-page.js')).CoveragePage),
  one('events', 'events:read', async () => (await import('./events/events-page.js')).EventsPage),
  one('events/refused', 'events:read', async () => (await import('./events/refused-page.js')).RefusedEventsPage),
  one('entities', 'events:read', async () => (await import('./entities/entities-page.js')).EntitiesPage),
  one('entities/new', 'events:write', async () => (await import('./entities/record/record-event-page.js')).NewEntityPage),
  one('entities/:entity_id', 'events:read', async () => (await import('./entities/entity-page.js')).EntityPage),
  one('entities/:entity_id/record', 'events:write', async () => (await import('./entities/record/record-event-page.js')).RecordEventPage),
  one('lines', 'charges:read', async () => (await import('./lines/lines-page.js')).LinesPage),
  one('billing', ['events:read', 'charges:read'], async () => (await import('./billing/billing-page.js')).BillingPage),
  one('isps', 'events:read', async () => (await import('./isps/isps.js')).IspsPage),
  one('isps/new', 'events:write', async () => (await import('./isps/isps.js')).NewIspPage),
  one('isps/:partner_id', 'events:read', async () => (await import('./isps/isps.js')).IspPage),
  one('webhooks', ['coverage:read', 'events:read'], async () => (await import('./webhooks/webhooks-page.js')).WebhooksPage),
  one('webhooks/new', ['coverage:write', 'events:write'], async () => (await import('./webhooks/new-webhook-page.js')).NewWebhookPage),
  one('webhooks/:feed/:webhook_id', ['coverage:read', 'events:read'], async () => (await import('./webhooks/webhook-page.js')).WebhookPage),
];

/** A page whose code is loaded on demand. If loading fails, the page says so, and trying again reloads the window. */
function one(path: string, scope: Scope | readonly Scope[], load: () => Promise<ComponentType>) {
  return { path, scopes: [scope].flat(), component: lazy(() => load().catch(() => PageFailed)) };
}

function PageFailed() {
  const t = texts();
  return (
    <Page title={t.failed}>
      <Failure error={undefined} title={t.why} onRetry={() => location.reload()} />
    </Page>
  );
}
