import { billingSheet, type Line, lineRow, type PublishedRelation, recordsOf } from '@fibre/client';
import { useFilters } from '../../hooks/use-filters.js';
import { type List, useListing } from '../../hooks/use-listing.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp, useScope } from '../../session/context.js';
import { defineTexts, language } from '../../texts.js';
import { CopyId } from '../../ui/copy-button.js';
import { WhenLoaded } from '../../ui/when-loaded.js';
import { FilterFields } from '../../ui/form/filter-fields.js';
import { Page, Section } from '../../ui/page.js';
import { type Column, ListingTable } from '../../ui/table.js';
import { type Content, ExportButtons } from '../../ui/transfer.js';
import { relationsBehindNodes } from '../coverage/access-node.js';
import { Behind } from '../coverage/search/behind.js';
import { momentsAt, ownZone } from '../entities/local-time.js';
import { Articles, Moment } from '../entities/parts.js';
import '../entities/entities.css';

const FILTERS = ['option82', 'partner_reference', 'tenant', 'at'] as const;

const texts = defineTexts({
  explanation: [
    'Your subscriptions at every operator, now or at any time: whose line a circuit was.',
    'Ihre Abonnements bei allen Netzbetreibern, jetzt oder zu einem früheren Zeitpunkt: Wem gehörte eine Leitung?',
  ],
  option82: ['Circuit (option82)', 'Leitung (option82)'],
  partner_reference: ['Your reference', 'Ihre Referenz'],
  operator: ['Operator', 'Netzbetreiber'],
  at: ['As of', 'Stand'],
  articles: ['Articles', 'Artikel'],
  since: ['Since', 'Seit'],
  none: [
    'You have no lines. Operators must enter your tenant in their records of ISPs.',
    'Sie haben keine Leitungen. Netzbetreiber müssen Ihren Mandanten in ihrem ISP-Verzeichnis eintragen.',
  ],
  noneFound: ['No line of yours matches.', 'Keine Ihrer Leitungen passt dazu.'],
  call: ['Whom to call', 'Ansprechpersonen'],
});

/** The lines of an ISP. A chosen filter applies immediately and becomes part of the URL. */
export function LinesPage() {
  const t = texts();
  const { fibre } = useApp();
  const { filters, change, key, isFiltered } = useFilters(FILTERS);
  const seesContacts = useScope('coverage:search');
  // A time that the browser's zone skipped is sent as it is: the service rejects it, as it does any other invalid value.
  const at = filters.at && (momentsAt(filters.at, ownZone())?.[0] ?? filters.at);
  const search = { ...filters, ...(at && { at }) };
  const list: List<Line> = (place, signal) => fibre.charges.lines({ ...place, ...search }, { signal });
  const listing = useListing(list, key);
  const tenants = [...new Set(listing.items.map(({ tenant }) => tenant))];
  return (
    <Page title={t.lines}>
      <p class="fine">{t.explanation}</p>
      <FilterFields
        filters={filters}
        change={change}
        error={listing.error}
        fields={[
          { name: 'option82', label: t.option82 },
          { name: 'partner_reference', label: t.partner_reference },
          { name: 'tenant', label: t.operator },
          { name: 'at', label: t.at, type: 'datetime-local' },
        ]}
      />
      <ListingTable
        listing={listing}
        caption={t.lines}
        columns={lineColumns()}
        keyOf={({ line_id }) => line_id}
        empty={isFiltered ? t.noneFound : t.none}
      />
      {listing.items.length > 0 && (
        <ExportButtons
          name="lines"
          formats={['csv', 'ndjson', 'xlsx']}
          read={(format, options) =>
            format === 'xlsx'
              ? fibre.charges.exportLines({ ...search, format: 'ndjson' }, options).then(sheetOf)
              : fibre.charges.exportLines({ ...search, format }, options)
          }
        />
      )}
      {seesContacts && tenants.length > 0 && <Contacts tenants={tenants} />}
    </Page>
  );
}

/** A spreadsheet of the lines, which shows the time of the browser's zone. */
async function sheetOf(exported: ReadableStream<Uint8Array>): Promise<Content> {
  async function* rows() {
    for await (const line of recordsOf<Line>(exported)) yield lineRow(line);
  }
  return billingSheet('lines', rows(), { party: 'tenant', timezone: ownZone(), language: language.value });
}

function lineColumns(): Column<Line>[] {
  const t = texts();
  return [
    { title: t.operator, cell: ({ tenant }) => tenant },
    { title: t.option82, cell: ({ option82 }) => option82 },
    { title: t.partner_reference, cell: ({ partner_reference }) => partner_reference },
    { title: t.articles, cell: ({ article_codes }) => <Articles codes={article_codes} /> },
    { title: t.since, cell: ({ since }) => <Moment at={since} /> },
    {
      title: 'entity_id',
      cell: ({ entity_id, partner_reference, option82 }) => (
        <CopyId name="entity_id" id={entity_id} of={partner_reference ?? option82 ?? entity_id} />
      ),
    },
  ];
}

/** Whom to call, of these operators: each contact once, however many relations have it. */
function Contacts({ tenants }: { tenants: readonly string[] }) {
  const { fibre } = useApp();
  const loaded = useLoad((signal) => relationsBehindNodes(fibre, signal), '');
  const contactOf = ({ operator, pip, contact_name, contact_email, contact_phone, order_url }: PublishedRelation): string =>
    JSON.stringify([operator, pip, contact_name, contact_email, contact_phone, order_url]);
  return (
    <Section title={texts().call}>
      <WhenLoaded loaded={loaded}>
        {(relations) =>
          tenants.map((tenant) => {
            const own = [...relations.values()].filter((relation) => relation.tenant === tenant);
            const contacts = new Map(own.map((relation) => [contactOf(relation), relation]));
            if (contacts.size === 0) return <Behind key={tenant} tenant={tenant} relation={undefined} />;
            return [...contacts].map(([contact, relation]) => <Behind key={`${tenant} ${contact}`} tenant={tenant} relation={relation} />);
          })
        }
      </WhenLoaded>
    </Section>
  );
}
