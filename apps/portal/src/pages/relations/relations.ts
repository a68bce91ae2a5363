import type { CountedRelation, Relation } from '@fibre/client';
import { defineTexts, formatNumber } from '../../texts.js';
import { given, type RecordKind } from '../records/record-kind.js';

type Values = Record<'name' | 'pip' | 'comment', string>;

const texts = defineTexts(
  {
    group: 'Organisation',
    title: 'Relations',
    create: 'New relation',
    explanation: 'A relation connects you with an infrastructure provider. Every access node belongs to one.',
    none: 'There are no relations yet.',
    name: 'Name',
    nameHint: 'Your own name for it; unique among your relations.',
    pip: 'Infrastructure provider (PIP)',
    pipShort: 'PIP',
    comment: 'Comment',
    prenodes: 'Nodes in pre-production',
    nodes: 'Nodes in production',
    use: 'API calls and imports refer to the relation by its relation_id.',
    remove: 'Delete the relation',
    removeWarning: 'Its relation_id will no longer be valid. This cannot be undone.',
    inUse: 'The relation is in use',
    inUseWhy: 'It still has access nodes. Delete or move them first, in pre-production and in production.',
  },
  {
    group: 'Organisation',
    title: 'Relationen',
    create: 'Neue Relation',
    explanation: 'Eine Relation verbindet Sie mit einem Infrastrukturanbieter. Jeder Zugangsknoten gehört zu einer.',
    none: 'Es gibt noch keine Relationen.',
    name: 'Name',
    nameHint: 'Ihre eigene Bezeichnung, einmalig unter Ihren Relationen.',
    pip: 'Infrastrukturanbieter (PIP)',
    pipShort: 'PIP',
    comment: 'Kommentar',
    prenodes: 'Knoten in Vorproduktion',
    nodes: 'Knoten in Produktion',
    use: 'API-Aufrufe und Importe verweisen mit der relation_id auf die Relation.',
    remove: 'Relation löschen',
    removeWarning: 'Ihre relation_id ist dann nicht mehr gültig. Das lässt sich nicht rückgängig machen.',
    inUse: 'Die Relation wird verwendet',
    inUseWhy: 'Sie hat noch Zugangsknoten. Löschen oder verschieben Sie diese zuerst, in Vorproduktion und in Produktion.',
  },
);

export const relations: RecordKind<Relation & Partial<CountedRelation>, Values> = {
  path: 'relations',
  idName: 'relation_id',
  writeScope: 'coverage:write',
  texts,
  group: () => texts().group,
  empty: { name: '', pip: '', comment: '' },
  fields: () => {
    const t = texts();
    return [
      { name: 'name', label: t.name, hint: t.nameHint, isRequired: true },
      { name: 'pip', label: t.pip, isRequired: true },
      { name: 'comment', label: t.comment, isLong: true },
    ];
  },
  valuesOf: ({ name, pip, comment = '' }) => ({ name, pip, comment }),
  columns: () => [{ title: texts().pipShort, isClipped: true, cell: ({ pip }) => pip }],
  facts: ({ prenodes, nodes }) => [
    [texts().prenodes, prenodes === undefined ? undefined : formatNumber(prenodes)],
    [texts().nodes, nodes === undefined ? undefined : formatNumber(nodes)],
  ],
  list: ({ coverage }, query, options) => coverage.relations.list(query, options),
  read: ({ coverage }, id, options) => coverage.relations.read(id, options),
  create: ({ coverage }, { name, pip, comment }) => coverage.relations.create({ name, pip, ...given({ comment }) }),
  update: ({ coverage }, id, values, ifMatch) => coverage.relations.update(id, { ...values, comment: values.comment || null }, { ifMatch }),
  remove: ({ coverage }, id, ifMatch) => coverage.relations.delete(id, { ifMatch }),
};
