import type { CountedRelation, Relation } from '@fibre/client';
import { page } from '../../configuration.js';
import { useLoad } from '../../hooks/use-load.js';
import { useApp } from '../../session/context.js';
import { defineTexts, formatCount, formatNumber } from '../../texts.js';
import { When } from '../../ui/when.js';
import { nodeCount } from '../coverage/access-node.js';
import { rememberedMapping } from '../coverage/last-import.js';
import { ListPage } from '../records/list-page.js';
import { NewPage } from '../records/record-form.js';
import { bodyOf, type RecordKind } from '../records/record-kind.js';
import { RecordPage } from '../records/record-page.js';
import { LinkButton } from '../../ui/button.js';
import { Section } from '../../ui/page.js';
import { RemoveRelation } from './remove-relation.js';

const texts = defineTexts({
  create: ['New relation', 'Neue Relation'],
  explanation: ['Your connections to infrastructure providers.', 'Ihre Verbindungen zu Infrastrukturanbietern.'],
  none: ['There are no relations yet.', 'Es gibt noch keine Relationen.'],
  nameHint: ['Your own name for it; unique among your relations.', 'Ihre eigene Bezeichnung, einmalig unter Ihren Relationen.'],
  pip: ['Infrastructure provider (PIP)', 'Infrastrukturanbieter (PIP)'],
  pipShort: ['PIP', 'PIP'],
  pipHint: ['ISPs see it, and the fields up to the order page.', 'Diese Angabe und die folgenden bis zur Bestellseite sehen ISPs.'],
  operator: ['Operator, as ISPs know you', 'Betreiber, wie ISPs Sie kennen'],
  contact_name: ['Contact person or team', 'Ansprechperson oder Team'],
  contact_email: ['Contact e-mail', 'E-Mail für Anfragen'],
  contact_phone: ['Contact phone', 'Telefon für Anfragen'],
  order_url: ['Order page', 'Bestellseite'],
  orderHint: ['Where ISPs can order: https://…', 'Wo ISPs bestellen können: https://…'],
  prenodes: ['Nodes in pre-production', 'Knoten im Entwurf'],
  nodes: ['Nodes in production', 'Veröffentlichte Knoten'],
  use: ['API calls and imports refer to the relation by this id.', 'API-Aufrufe und Importe nennen die Relation mit dieser ID.'],
  lastImport: ['Last import', 'Letzter Import'],
  rows: [
    (count: string, refused: string) => `${count} rows, ${refused} rejected`,
    (count, refused) => `${count} Zeilen, ${refused} abgelehnt`,
  ],
  importNodes: ['Import nodes', 'Knoten importieren'],
  merge: [(count: string) => `Merge ${count} into production`, (count) => `${count} veröffentlichen`],
  next: ['What comes next', 'Wie es weitergeht'],
  nextWhy: ['Import access nodes, then merge them into production.', 'Importieren Sie Zugangsknoten, und veröffentlichen Sie sie dann.'],
});

const relations: RecordKind<Relation & Partial<CountedRelation>> = {
  path: 'relations',
  idName: 'relation_id',
  writeScope: 'coverage:write',
  texts,
  group: () => texts().organisation,
  fields: () => {
    const t = texts();
    return [
      { name: 'name', label: t.name, hint: t.nameHint, isRequired: true },
      { name: 'pip', label: t.pip, hint: t.pipHint, isRequired: true },
      { name: 'operator', label: t.operator },
      { name: 'contact_name', label: t.contact_name },
      { name: 'contact_email', label: t.contact_email, type: 'email' },
      { name: 'contact_phone', label: t.contact_phone, type: 'tel' },
      { name: 'order_url', label: t.order_url, hint: t.orderHint, type: 'url' },
      { name: 'comment', label: t.comment, isLong: true },
    ];
  },
  columns: () => [{ title: texts().pipShort, cell: ({ pip }) => pip }],
  facts: ({ relation_id, ...counts }) =>
    (['prenodes', 'nodes'] as const).map((target) => [
      texts()[target],
      <a href={page(coverage(relation_id, `target=${target}&panel=list`))}>{formatCount(nodeCount(counts[target] ?? 0))}</a>,
    ]),
  Next: NextSteps,
  Remove: RemoveRelation,
  list: ({ coverage }, query, options) => coverage.relations.list(query, options),
  read: ({ coverage }, id, options) => coverage.relations.read(id, options),
  create: ({ coverage }, values) => coverage.relations.create(bodyOf(values)),
  update: ({ coverage }, id, values, ifMatch) => coverage.relations.update(id, bodyOf(values, null), { ifMatch }),
};

export const RelationsPage = () => <ListPage kind={relations} />;
export const NewRelationPage = () => <NewPage kind={relations} />;
export const RelationPage = () => <RecordPage kind={relations} />;

const coverage = (relation_id: string, query: string): string => `coverage?relation_id=${relation_id}&${query}`;

/** The steps that bring nodes into production: import, check, merge. */
function NextSteps({ record }: { record: Relation & Partial<CountedRelation> }) {
  const t = texts();
  const { relation_id, prenodes = 0, nodes = 0 } = record;
  const { fibre } = useApp();
  const { data: overview } = useLoad((signal) => fibre.coverage.overview({ signal }), '');
  const last = overview?.imports.find((one) => one.relation_id === relation_id);
  return (
    <Section title={t.next} {...(prenodes + nodes === 0 && { why: t.nextWhy })}>
      <div class="actions">
        <LinkButton
          label={t.importNodes}
          to={coverage(relation_id, `target=${rememberedMapping(relation_id).target ?? 'prenodes'}&panel=files`)}
          isPrimary={prenodes === 0}
        />
        {prenodes > 0 && (
          <LinkButton
            to={coverage(relation_id, 'target=prenodes&panel=bulk')}
            isPrimary
            label={t.merge(formatCount(nodeCount(prenodes)))}
          />
        )}
        {prenodes + nodes > 0 && (
          <LinkButton to={coverage(relation_id, `target=${nodes > 0 ? 'nodes' : 'prenodes'}`)} label={t.showOnMap} />
        )}
      </div>
      {last && (
        <p class="fine">
          {t.lastImport} <When at={last.created_at} by={last.created_by} />: {t.rows(formatNumber(last.rows), formatNumber(last.refused))}
        </p>
      )}
    </Section>
  );
}
