import { page } from '../../configuration.js';
import { useFilters } from '../../hooks/use-filters.js';
import { LARGEST_PAGE, readAll } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { formatMoment } from '../../texts.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { Facts, Page, Section } from '../../ui/page.js';
import { When } from '../../ui/when.js';
import { ChargedEntityPage } from './charged-entity-page.js';
import { CloseButton } from './close-button.js';
import { Corrections } from './corrections.js';
import { type Closed, closingsFor, type Ledger, type Search } from './ledger.js';
import { LinePage } from './line-page.js';
import { closingText, lineOf, Warnings } from './parts.js';
import { texts } from './texts.js';
import { Totals } from './totals.js';
import { isSame, titleOf, type Window } from './window.js';

/** A month as it is now, or as it was when it was closed: what is charged, and what has changed since the closing before. */
export function MonthPage(props: {
  ledger: Ledger;
  window: Window;
  closings: readonly Closed[];
  /** Loads the closings again. */
  reload: () => void;
}) {
  const t = texts();
  const { ledger, window } = props;
  const { filters, change } = useFilters(['closing', ledger.party, 'line', 'entity']);
  const known = [...new Set(props.closings.flatMap(({ party }) => party ?? []))];
  const chosen = filters[ledger.party];
  // An ISP for which only one operator has closed anything need not choose it.
  const party = chosen ?? (ledger.isps || known.length > 1 ? undefined : known[0]);
  const closings = props.closings.filter((closing) => isSame(closing, window));
  const own = closingsFor(closings, party);
  const closing = own.find(({ closing_id }) => closing_id === filters.closing);
  const previous = own[(closing ? own.indexOf(closing) : own.length) - 1];
  const show = (one?: Closed): void => change({ closing: one?.closing_id, [ledger.party]: one?.party ?? chosen });
  const ofParty = (id: string | undefined) => (id === undefined ? {} : { [ledger.party]: id });
  const search: Search = {
    from: window.from,
    to: window.to,
    timezone: (closing ?? previous ?? window).timezone,
    ...ofParty(closing?.party ?? chosen),
    ...(closing && { recorded_until: closing.recorded_until }),
  };
  const totals = useLoad((signal) => readAll(ledger.totals({ ...search, _page_size: LARGEST_PAGE }, { signal })), JSON.stringify(search));
  const line = lineOf(filters.line);
  const [, tenant, entity_id] = /^([^/]+)\/(.+)$/.exec(filters.entity ?? '') ?? [];
  const below = { ledger, window, closing, line };
  if (tenant !== undefined && entity_id !== undefined)
    return <ChargedEntityPage {...below} search={search} tenant={tenant} entity_id={entity_id} />;
  if (line)
    return (
      <WhenLoaded loaded={totals}>
        {({ items, recordedUntil = '' }) => (
          <LinePage {...below} line={line} totals={items} search={{ ...search, recorded_until: recordedUntil }} />
        )}
      </WhenLoaded>
    );
  return (
    <Page title={titleOf(window)} above={<a href={page('billing')}>{t.billing}</a>}>
      <FilterFields
        filters={filters}
        change={change}
        fields={[
          ledger.isps
            ? { name: 'partner_id', label: t.isp, records: ledger.isps }
            : { name: 'tenant', label: t.operator, options: known.map((value) => ({ value, label: value })) },
          {
            name: 'closing',
            label: t.asRecorded,
            noneLabel: t.now,
            value: closing?.closing_id ?? '',
            options: (party === undefined ? closings : own)
              .toReversed()
              .map((one) => ({ value: one.closing_id, label: closingText(ledger, one) })),
            onChange: (id) => show(closings.find(({ closing_id }) => closing_id === id)),
          },
        ]}
      />
      {closing && (
        <>
          <Facts
            facts={[
              [t.closedOn, <When at={closing.created_at} by={closing.created_by} format={formatMoment} />],
              [t.reference, closing.reference],
              [t.comment, closing.comment],
            ]}
          />
          <Warnings warnings={closing.warnings} />
        </>
      )}
      <WhenLoaded loaded={totals}>
        {({ items, recordedUntil = '' }) => {
          const recorded = { ...search, recorded_until: recordedUntil };
          return (
            <>
              <Totals ledger={ledger} totals={items} search={recorded}>
                {ledger.isps && !closing && (
                  <CloseButton
                    ledger={ledger}
                    search={recorded}
                    totals={items}
                    isAgain={previous !== undefined}
                    onClosed={(id) => (props.reload(), change({ closing: id }))}
                    onReadAgain={totals.reload}
                  />
                )}
              </Totals>
              <Section title={t.corrections} why={previous && t.since(formatMoment(previous.created_at))} class="section part">
                {party === undefined && closings.length > own.length && <p class="notice">{t.oneByOne}</p>}
                {previous ? (
                  <Corrections
                    key={previous.closing_id + JSON.stringify(recorded)}
                    ledger={ledger}
                    search={{ ...recorded, ...ofParty(party), recorded_from: previous.recorded_until }}
                  />
                ) : (
                  <p>{closing ? t.isFirst : t.notClosed}</p>
                )}
              </Section>
            </>
          );
        }}
      </WhenLoaded>
    </Page>
  );
}
