import { type AccessNode, NODE_FIELDS } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useTransfer } from '../../hooks/use-action.js';
import { defineTexts, formatNumber } from '../../texts.js';
import { csvOf } from '../../ui/csv.js';
import { ExportButtons, TransferNote } from '../../ui/transfer.js';
import { type Box, placeOf } from './access-node.js';
import { ChangeNodes } from './change-nodes.js';
import { useCoverage } from './coverage-state.js';
import { nodesInWords, texts as coverageTexts } from './coverage-texts.js';
import { DeleteNodes } from './delete-nodes.js';
import { boxInView } from './map/positions.js';
import { allOf } from './nodes-query.js';
import { Button } from '../../ui/button.js';

/** As many nodes as one request changes or deletes. */
const MOST = 1_000;
const texts = defineTexts({
  tools: ['Select several', 'Mehrere auswählen'],
  select: ['Select', 'Wählen'],
  all: ['All in the list', 'Ganze Liste'],
  inView: ['All on the map', 'Auf der Karte'],
  boxHint: ['Or hold Shift, and draw a box on the map.', 'Oder ziehen Sie mit der Umschalttaste ein Rechteck auf der Karte.'],
  none: ['None', 'Keine'],
  reading: ['Reading access nodes …', 'Zugangsknoten werden gelesen …'],
  selected: [(nodes: string) => `${nodes} selected`, (nodes) => `${nodes} ausgewählt`],
  noneFound: ['No access nodes there', 'Dort gibt es keine Zugangsknoten'],
  outdated: [
    'The list has changed in the meantime and was read again. Select again.',
    'Die Liste hat sich inzwischen geändert und wurde neu gelesen. Wählen Sie noch einmal.',
  ],
  tooMany: [
    (count: string) => `The list has more than ${count} access nodes, so none were selected: no more can be changed or deleted at once.`,
    (count) =>
      `Die Liste hat mehr als ${count} Zugangsknoten, daher wurde keiner ausgewählt: Mehr lassen sich nicht auf einmal ändern oder löschen.`,
  ],
  narrow: [
    'Use filters to make the list shorter, or export all of it:',
    'Verkürzen Sie die Liste mit Filtern, oder exportieren Sie sie ganz:',
  ],
  ofRelation: [
    'All nodes of the relation can be merged or deleted at once:',
    'Alle Knoten der Relation lassen sich auf einmal übernehmen oder löschen:',
  ],
  whole: ['the whole list', 'Ganze Liste'],
  tooManyInBox: [
    (count: string) => `There are more than ${count} access nodes, so none were selected. Zoom in, or draw a smaller box.`,
    (count) =>
      `Dort sind mehr als ${count} Zugangsknoten, daher wurde keiner ausgewählt. Vergrößern Sie die Karte, oder ziehen Sie ein kleineres Rechteck.`,
  ],
});

type Nodes = ReadonlyMap<string, AccessNode>;
const NO_NODES: Nodes = new Map();
const nodesById = (nodes: readonly AccessNode[]): Nodes => new Map(nodes.map((node) => [node.node_id, node]));

/**
 * Nodes that the person has selected from what is shown, and what can be done with all of them.
 *
 * @param listed the nodes that the list shows so far
 */
export function useSelection(listed: readonly AccessNode[]): {
  column: { title: string; cell: (node: AccessNode) => ComponentChildren };
  tools: ComponentChildren;
} {
  const t = texts();
  const { query, revision } = useCoverage();
  const [nodes, select] = useState(NO_NODES);
  useEffect(() => select(NO_NODES), [query.key, revision]);
  const toggle = (node: AccessNode): void => {
    const others = new Map(nodes);
    if (!others.delete(node.node_id)) others.set(node.node_id, node);
    select(others);
  };
  const column = {
    title: t.select,
    cell: (node: AccessNode) => (
      <input
        type="checkbox"
        aria-label={`${t.select} ${node.customer_reference ?? node.address ?? node.center}`}
        checked={nodes.has(node.node_id)}
        disabled={nodes.size >= MOST && !nodes.has(node.node_id)}
        onChange={() => toggle(node)}
      />
    ),
  };
  return { column, tools: <Tools listed={listed} nodes={nodes} onSelect={select} /> };
}

function Tools({ listed, nodes, onSelect }: { listed: readonly AccessNode[]; nodes: Nodes; onSelect: (nodes: Nodes) => void }) {
  const t = texts();
  const { query, map, box: drawn, change, onChanged } = useCoverage();
  const [said, say] = useState('');
  const [isTooLong, setTooLong] = useState(false);
  useEffect(() => setTooLong(false), [query.key]);
  const transfer = useTransfer();
  /** @param box where to look for nodes; if absent, everywhere */
  const find = (box?: Box): void => {
    say('');
    setTooLong(false);
    void transfer.run(async (signal) => {
      const found = await allOf(query, { most: MOST, ...(box && { isWanted: (node) => isIn(box, node) }), signal });
      onSelect(nodesById(found ?? []));
      if (found === undefined && box) return say(t.tooManyInBox(formatNumber(MOST)));
      if (found === undefined) return setTooLong(true);
      if (found.length === 0) say(t.noneFound);
      // What the person would act on is what they see.
      if (box || listed.every(({ node_id }, index) => node_id === found[index]?.node_id)) return;
      say(t.outdated);
      onChanged();
    });
  };
  // A box that was drawn before the list was opened selects nothing.
  const known = useRef(drawn);
  useEffect(() => {
    if (drawn !== known.current) find(drawn);
  }, [drawn]);
  const selected = [...nodes.values()];
  return (
    <section class="coverage-panel" aria-label={t.tools}>
      <div class="actions">
        <span>{t.select}:</span>
        <Button label={t.all} look="small" isBusy={transfer.isBusy} onClick={() => find()} />
        <Button label={t.inView} look="small" isBusy={transfer.isBusy} onClick={() => find(map.current && boxInView(map.current.map))} />
        {nodes.size > 0 && <Button label={t.none} look="small" onClick={() => onSelect(NO_NODES)} />}
      </div>
      <p class="fine coverage-box-hint">{t.boxHint}</p>
      <TransferNote transfer={transfer}>
        <p role="status">{t.reading}</p>
      </TransferNote>
      <p role="status">
        {[nodes.size > 0 && t.selected(nodesInWords(nodes.size)), isTooLong && t.tooMany(formatNumber(MOST)), said]
          .filter(Boolean)
          .join('. ')}
      </p>
      {isTooLong && (
        <>
          <p>{t.narrow}</p>
          <ExportButtons name="access-nodes" what={t.whole} formats={['csv']} read={query.file} />
          {query.wholeRelation !== undefined && (
            <>
              <p>{t.ofRelation}</p>
              <div class="actions">
                <Button label={`${coverageTexts().bulk} …`} onClick={() => change({ panel: 'bulk' })} />
              </div>
            </>
          )}
        </>
      )}
      {selected.length > 0 && (
        <>
          <ChangeNodes ids={[...nodes.keys()]} />
          <div class="actions">
            <ExportButtons name="access-nodes" formats={['csv']} read={() => Promise.resolve(csvOf(selected, NODE_FIELDS))} />
            <DeleteNodes nodes={selected} />
          </div>
        </>
      )}
    </section>
  );
}

/** Whether a node is in a box; one that crosses the date line has its west in the east. */
function isIn({ south, west, north, east }: Box, { center }: AccessNode): boolean {
  const { latitude, longitude } = placeOf(center);
  const isBetween = west <= east ? west <= longitude && longitude <= east : west <= longitude || longitude <= east;
  return isBetween && south <= latitude && latitude <= north;
}
