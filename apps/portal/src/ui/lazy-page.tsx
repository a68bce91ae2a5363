import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { defineTexts } from '../texts.js';
import { Failure } from './failure.js';
import { Page } from './page.js';

const texts = defineTexts(
  { failed: 'This page did not load', why: 'The network is away, or there is a newer release of the portal.' },
  { failed: 'Diese Seite wurde nicht geladen', why: 'Das Netz ist weg, oder es gibt eine neuere Version des Portals.' },
);

/** A page whose program is fetched when somebody goes there. Where that fails the page says so, and trying again loads the window anew. */
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
