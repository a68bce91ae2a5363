import { EVENT_TYPES } from '@fibre/client';
import { useLocation, useRoute } from 'preact-iso';
import { page } from '../../../configuration.js';
import { useLoad } from '../../../hooks/use-load.js';
import { orNone } from '../../../refusal.js';
import { useApp } from '../../../session/context.js';
import { Page } from '../../../ui/page.js';
import { WhenLoaded } from '../../../ui/when-loaded.js';
import { nextEvents } from '../entity.js';
import { texts } from '../entity-texts.js';
import { titleOf } from '../parts.js';
import { EventForm } from './event-form.js';
import '../entities.css';

/** Records the first event of an entity; the form also asks for the entity's id. */
export function NewEntityPage() {
  const t = texts();
  return (
    <Page title={t.newTitle} above={<a href={page('entities')}>{t.entities}</a>}>
      <EventForm types={nextEvents()} path="entities/new" />
    </Page>
  );
}

/** Records another event for an entity. */
export function RecordEventPage() {
  const t = texts();
  const { fibre } = useApp();
  const { entity_id = '' } = useRoute().params;
  const { query } = useLocation();
  const type = EVENT_TYPES.find((one) => one === query['type']);
  const path = `entities/${entity_id}/record`;
  const load = async (signal: AbortSignal) => ({ entity: await orNone(fibre.entities.read(entity_id, { signal })) });
  const loaded = useLoad(load, entity_id);
  return (
    <Page
      key={entity_id}
      title={type ? t[type] : t.next}
      above={
        <>
          <a href={page('entities')}>{t.entities}</a> ›{' '}
          <a href={page(`entities/${entity_id}`)}>{titleOf(entity_id, loaded.data?.entity)}</a>
        </>
      }
    >
      <WhenLoaded loaded={loaded}>
        {({ entity }) => {
          const types = nextEvents(entity?.state);
          const updates = (type ?? types[0]) === 'update' ? entity : undefined;
          return <EventForm key={updates !== undefined} entity_id={entity_id} types={types} path={path} updates={updates} />;
        }}
      </WhenLoaded>
    </Page>
  );
}
