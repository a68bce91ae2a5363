import { COLLECTIONS } from '@fibre/client';
import { useMemo, useState } from 'preact/hooks';
import { Refusal, type Words } from '../../api/refusal.js';
import { versionOf } from '../../api/version.js';
import { useApp, useScope } from '../../session/context.js';
import { Page } from '../../ui/page.js';
import { mayLeave } from '../../hooks/unsaved.js';
import { useLoad } from '../../hooks/use-load.js';
import { type Place, placeOf, type SearchQuery } from './access-node.js';
import { PANELS, useCoverageState } from './coverage-state.js';
import { texts } from './coverage-texts.js';
import { DropZone } from './files/drop-zone.js';
import { FilesPanel } from './files/files-panel.js';
import { texts as filesTexts } from './files/files-texts.js';
import { FiltersPanel } from './filters-panel.js';
import { CoverageMap } from './map/coverage-map.js';
import { NewNodePanel } from './new-node-panel.js';
import type { DrawnSearch } from './map/layers.js';
import { NodePanel } from './node-panel.js';
import { NodesList } from './nodes-list.js';
import { useRelations } from './relation-choice.js';
import { RelationPanel } from './relation-panel.js';
import { SearchPanel } from './search/search-panel.js';
import { useSearch } from './search/use-search.js';
import './coverage.css';

const NO_ERRORS: ReadonlyMap<string, Words> = new Map();

/** Access nodes on the map, with panels next to it. */
export function CoveragePage() {
  const t = texts();
  const { fibre } = useApp();
  const mayRead = useScope('coverage:read');
  const mayWrite = useScope('coverage:write');
  const maySearch = useScope('coverage:search');
  const { shown, filters, panel, node, search, change } = useCoverageState(mayRead);
  const relations = useRelations(mayRead);
  const [revision, setRevision] = useState(0);
  const [place, setPlace] = useState<Place>();
  const [clicked, setClicked] = useState<Place>();
  const [mapError, setMapError] = useState<unknown>();
  const [file, setFile] = useState<File>();
  const [imports, setImports] = useState(0);
  const onChanged = (): void => setRevision((before) => before + 1);

  const loadedNode = useLoad(
    async (signal) => (node === undefined || !mayRead ? undefined : versionOf(fibre.coverage.nodes.read(node, { signal }))),
    `${node} ${revision}`,
  );
  const selected = useMemo(
    () => loadedNode.data && { node_id: loadedNode.data.record.node_id, place: placeOf(loadedNode.data.record.center) },
    [loadedNode.data],
  );
  const { results, drawn, run } = useSearch(search, filters, revision);
  const [places, setPlaces] = useState<DrawnSearch>();
  const errors = mapError instanceof Refusal ? mapError.byField : NO_ERRORS;
  const begin = async (query: SearchQuery): Promise<void> => {
    await run(query);
    setPlaces(undefined);
    change({ ...query, panel: 'search' });
  };

  return (
    <Page title={mayRead ? t.title : t.search} isWide>
      <DropZone
        class="coverage"
        panel={panel}
        label={mayWrite ? filesTexts().drop(t[shown.target]) : undefined}
        onFile={(dropped) => {
          setFile(dropped);
          change({ panel: 'files', node: undefined });
        }}
      >
        <a class="skip-link" href="#coverage-side">
          {t.skipMap}
        </a>
        <CoverageMap
          shown={shown}
          mayRead={mayRead}
          revision={revision}
          picksPlaces={(panel === 'search' && maySearch) || (panel === 'create' && mayWrite && node === undefined)}
          search={panel === 'search' ? (places ?? drawn) : undefined}
          selected={selected}
          place={place}
          imports={imports}
          onFailure={setMapError}
          onNode={(node_id) => mayLeave() && change({ node: node_id })}
          onPlace={setClicked}
        />
        <aside id="coverage-side" class="coverage-side" tabIndex={-1} aria-label={t.panels}>
          {mayRead && (
            <fieldset class="collections">
              <legend class="visually-hidden">{t.collection}</legend>
              {COLLECTIONS.map((name) => (
                <label key={name}>
                  <input
                    type="radio"
                    name="target"
                    checked={shown.target === name}
                    onChange={() => change({ target: name === 'nodes' ? undefined : name })}
                  />
                  {t[name]}
                </label>
              ))}
            </fieldset>
          )}
          {mayRead ? (
            <div class="panels" role="group" aria-label={t.panels}>
              {PANELS.map((name) => (
                <button
                  key={name}
                  type="button"
                  class="quiet"
                  aria-pressed={panel === name}
                  onClick={() => mayLeave() && change({ panel: name, node: undefined })}
                >
                  {t[name]}
                </button>
              ))}
            </div>
          ) : (
            <h2>{t.searchAround}</h2>
          )}
          {node !== undefined && mayRead && (
            <NodePanel
              key={node}
              loaded={loadedNode}
              relations={relations}
              onChanged={onChanged}
              onClose={() => mayLeave() && change({ node: undefined })}
            />
          )}
          <div class="coverage-panel" hidden={node !== undefined && mayRead}>
            {panel === 'filters' && <FiltersPanel filters={filters} relations={relations} errors={errors} change={change} />}
            {panel === 'search' && (
              <SearchPanel
                search={search}
                clicked={clicked}
                filters={filters}
                results={results}
                onSearch={begin}
                onShow={setPlace}
                onPlaces={setPlaces}
              />
            )}
            {panel === 'list' && <NodesList shown={shown} revision={revision} onOpen={(node_id) => change({ node: node_id })} />}
            {panel === 'create' && (
              <NewNodePanel
                target={shown.target}
                relation_id={filters.relation_id}
                relations={relations}
                clicked={clicked}
                onCreated={(node_id) => {
                  onChanged();
                  setClicked(undefined);
                  change({ node: node_id });
                }}
              />
            )}
            {panel === 'files' && (
              <FilesPanel
                shown={shown}
                relations={relations}
                file={file}
                onFile={setFile}
                onImported={() => {
                  onChanged();
                  setImports((before) => before + 1);
                }}
              />
            )}
            {panel === 'relation' && (
              <RelationPanel
                relation_id={filters.relation_id}
                target={shown.target}
                relations={relations}
                errors={errors}
                revision={revision}
                change={change}
                onChanged={onChanged}
              />
            )}
          </div>
        </aside>
      </DropZone>
    </Page>
  );
}
