import { page } from '../../configuration.js';
import { Page } from '../../ui/page.js';
import { texts } from '../entities/entity-texts.js';
import { RefusedTable, useRefusedEvents } from '../entities/refused-events.js';
import '../entities/entities.css';

/** What was refused lately, of all entities. */
export function RefusedEventsPage() {
  const t = texts();
  const listing = useRefusedEvents();
  return (
    <Page title={t.refused} above={<a href={page('events')}>{t.events}</a>}>
      <p class="fine">{t.refusedWhy}</p>
      <RefusedTable listing={listing} ofMany />
    </Page>
  );
}
