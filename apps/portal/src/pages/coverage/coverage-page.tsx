import { COLLECTIONS } from '@fibre/client';
import { useRef, useState } from 'preact/hooks';
import { versionOf } from '../../refusal.js';
import { useApp, useScope } from '../../session/context.js';
import { language } from '../../texts.js';
import { useRecords } from '../../ui/form/record-choice.js';
import { Page } from '../../ui/page.js';
import { useIsArriving } from '../../hooks/arrival.js';
import { mayLeave } from '../../hooks/leaving.js';
import { useLoad } from '../../hooks/use-load.js';
import type { Box, Place } from './access-node.js';
import { type Coverage, CoverageContext, PANELS, useCoverageState } from './coverage-state.js';
import { texts } from './coverage-texts.js';
import { FilesPanel } from './files/files-panel.js';
import { FiltersPanel } from './filters-panel.js';
import { CoverageMap } from './map/coverage-map.js';
import { NewNodePanel } from './new-node-panel.js';
import type { DrawnSearch } from './map/style/drawn-search.js';
import type { MapView } from './map/map-view.js';
import { NodePanel } from './node-panel.js';
import { NodesList } from './nodes-list.js';
import { RelationPanel } from './relation-panel.js';
import { SearchPanel } from './search/search-panel.js';
import { Choices } from '../../ui/button.js';
import './coverage.css';

/** A map of access nodes, with panels next to it. */
export function CoveragePage() {
  const t = texts();
  const { fibre } = useApp();
  const mayRead = useScope('coverage:read');
  const mayWrite = useScope('coverage:write');
  const maySearch = useScope('coverage:search');
  const state = useCoverageState(mayRead);
  const { shown, panel, node, change } = state;
  const relations = useRecords('relation_id', 'coverage:read', (query, options) => fibre.coverage.relations.list(query, options));
  const [revision, setRevision] = useState(0);
  const [clicked, setClicked] = useState<Place>();
  const [box, setBox] = useState<Box>();
  const map = useRef<MapView>(undefined);
  const [drawn, draw] = useState<DrawnSearch>();
  const [error, setError] = useState<unknown>();
  const onChanged = (): void => setRevision((before) => before + 1);

  const loadedNode = useLoad(
    async (signal) => (node === undefined || !mayRead ? undefined : versionOf(fibre.coverage.nodes.read(node, { signal }))),
    `${node} ${revision}`,
  );
  const isArriving = useIsArriving();
  const close = (): void => {
    if (mayLeave()) change({ node: undefined });
  };
  const coverage: Coverage = {
    ...state,
    mayRead,
    relations,
    error,
    revision,
    onChanged,
    map,
    clicked,
    box,
    draw,
    drawn: panel === 'search' ? drawn : undefined,
  };

  return (
    <Page title={mayRead ? t.coverage : t.search} isWide>
      <CoverageContext.Provider value={coverage}>
        <div class="coverage">
          <a class="skip-link button primary" href="#coverage-side">
            {t.skipMap}
          </a>
          <CoverageMap
            key={language.value}
            picksPlaces={(panel === 'search' && maySearch) || (panel === 'create' && mayWrite && node === undefined)}
            selected={loadedNode.data?.record}
            onFailure={setError}
            onNode={(node_id) => mayLeave() && change({ node: node_id })}
            onPlace={setClicked}
            onBox={setBox}
          />
          <aside
            id="coverage-side"
            class={`coverage-panel coverage-side${isArriving ? ' arriving' : ''}`}
            tabIndex={-1}
            aria-label={t.panels}
          >
            {mayRead ? (
              <>
                <Choices
                  class="actions collections"
                  label={t.collection}
                  names={COLLECTIONS}
                  chosen={shown.target}
                  labelOf={(name) => t[name]}
                  onChoose={(name) => change({ target: name === 'nodes' ? undefined : name })}
                />
                <Choices
                  label={t.panels}
                  names={PANELS}
                  chosen={panel}
                  labelOf={(name) => t[name]}
                  onChoose={(name) => mayLeave() && change({ panel: name, node: undefined })}
                />
              </>
            ) : (
              <h2>{t.searchAround}</h2>
            )}
            {node !== undefined && mayRead && <NodePanel key={node} loaded={loadedNode} onClose={close} />}
            <div class="coverage-panel" hidden={node !== undefined && mayRead}>
              {panel === 'filters' && <FiltersPanel />}
              {panel === 'search' && <SearchPanel />}
              {panel === 'list' && <NodesList />}
              {panel === 'create' && <NewNodePanel />}
              {panel === 'files' && <FilesPanel />}
              {panel === 'bulk' && <RelationPanel />}
            </div>
          </aside>
        </div>
      </CoverageContext.Provider>
    </Page>
  );
}
