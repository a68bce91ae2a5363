import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { defineTexts } from '../texts.js';
import { Failure } from './failure.js';
import { Page } from './page.js';

const texts = defineTexts({
  failed: ['This page could not be loaded', 'Diese Seite konnte nicht geladen werden'],
  why: [
    'The network is unavailable, or there is a newer version of the portal.',
    'Das Netz ist nicht erreichbar, oder es gibt eine neuere Version des Portals.',
  ],
});

/** A page whose code is loaded on demand. If that fails the page says so, and trying again reloads the window. */
export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  return lazy(() => load().catch(() => PageFailed));
}

function PageFailed() {
  const t = texts();
  return (
    <Page title={t.failed}>
      <Failure error={undefined} title={t.why} onRetry={() => location.reload()} />
    </Page>
  );
}
