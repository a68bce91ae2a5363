import { useEffect, useMemo, useState } from 'preact/hooks';
import { useTransfer } from '../../../hooks/use-action.js';
import { useLoad } from '../../../hooks/use-load.js';
import { useApp } from '../../../session/context.js';
import { announce } from '../../../ui/announcements.js';
import { useCoverage } from '../coverage-state.js';
import { NO_MAPPING, rememberedMapping, rememberMapping } from '../last-import.js';
import { saveNodes } from '../save-first.js';
import { type Imported, importFile } from './files.js';
import { texts } from './files-texts.js';
import { type Choices, mapped } from './table/mapped.js';
import { NO_PREVIEW, previewOf } from './table/preview.js';
import { checkUnchanged, type Source } from './table/source.js';
import { isChangeable, type Ranges } from './table/table-file.js';

/**
 * A file that a person imports: what it contains, what is chosen for all its rows, and the result.
 *
 * @param onMissing called instead of the import while a choice is missing
 */
export function useFileImport(source: Source, onMissing: () => void) {
  const t = texts();
  const { fibre } = useApp();
  const { shown, relations, onChanged, map } = useCoverage();
  const { file, format, gzip } = source;
  const { data: preview = NO_PREVIEW, isLoading: isReading } = useLoad(
    () => previewOf(source),
    [file.name, file.size, file.lastModified].join(' '),
  );
  // The file most likely belongs to the relation that the page is filtered by.
  const [relation_id, setRelation] = useState(shown.relation_id ?? '');
  const [token, setToken] = useState('');
  /** What the person has chosen; the rest is as in the last import into the relation, or guessed. */
  const [chosen, setChosen] = useState<Choices>({ ...NO_MAPPING, cells: {} });
  const remembered = useMemo(() => rememberedMapping(relation_id), [relation_id]);
  const [isLax, setLax] = useState(false);
  /** Whether the nodes that are not in the file are deleted. */
  const [isWhole, setWhole] = useState(() => rememberedMapping(relation_id).isWhole ?? false);
  const [isSaved, setSaved] = useState(true);
  const [percent, setPercent] = useState(0);
  const [done, setDone] = useState<{ result: Imported; wasChecked: boolean; settings: string }>();
  const [wasAsked, setAsked] = useState(false);
  /** The rows that an import rejected while it took the others. */
  const [rest, setRest] = useState<Ranges>();
  const transfer = useTransfer();
  // The settings are kept for the next file, which is often a corrected version of this one. The result is not kept.
  useEffect(() => {
    setDone(undefined);
    setAsked(false);
    setChosen((before) => ({ ...before, heading: undefined, cells: {}, only: undefined }));
    setRest(undefined);
    transfer.forget();
  }, [file]);

  const mayChange = isChangeable(source);
  const choices = useMemo(
    () => ({
      ...chosen,
      fields: { ...remembered.fields, ...chosen.fields },
      stages: { ...remembered.stages, ...chosen.stages },
      // If the file is the whole truth, a part of it would delete all others.
      only: isWhole ? undefined : chosen.only,
    }),
    [remembered, chosen, isWhole],
  );
  const table = useMemo(() => mapped(preview, mayChange, choices), [preview, mayChange, choices]);
  const { columns, fields, words, stageOf } = table;
  const unknown = columns.filter((name) => fields[name] === undefined);
  const isUnclear = mayChange && (unknown.length > 0 || words.some((word) => stageOf(word) === undefined));
  const settings = JSON.stringify([
    relation_id,
    token,
    isLax,
    isWhole,
    chosen.heading,
    chosen.cells,
    chosen.only,
    fields,
    words.map(stageOf),
  ]);
  // A second click, or a retry after a network failure, counts as the same import.
  const key = useMemo(() => crypto.randomUUID(), [file, settings]);
  const isInFile = (column: string): boolean => table.indexOf(column) >= 0;
  const isMissing = (column: string, value: string): boolean =>
    value === '' && ((columns.length > 0 && !isInFile(column)) || (isWhole && column === 'relation_id'));
  const missing = (column: string, value: string) => (wasAsked && isMissing(column, value) ? { text: t.columnMissing } : undefined);

  const nameOfRelation = relations.nameOf.get(relation_id) ?? relation_id;
  /** @param most maximum number of nodes to delete, as many as the person has seen; if absent, the service decides how many are too many */
  const send = (isCheck: boolean, most?: number): void => {
    setAsked(true);
    if (isMissing('relation_id', relation_id) || isMissing('token', token) || isUnclear) return onMissing();
    setPercent(0);
    setDone(undefined);
    // A column without a name of its own may be another one in the next file.
    const named = Object.fromEntries(Object.entries(fields).filter(([name]) => !/^[A-Z]{1,2}$/.test(name)));
    rememberMapping(relation_id, { fields: { ...remembered.fields, ...named }, stages: choices.stages, isWhole, target: shown.target });
    void transfer.run(async (signal) => {
      if (isWhole && !isCheck && isSaved) await saveNodes(fibre, { relation_id, target: shown.target }, nameOfRelation, signal);
      const query = {
        target: shown.target,
        ...(relation_id && (isWhole || !isInFile('relation_id')) && { relation_id }),
        ...(token && !isInFile('token') && { token }),
        ...(isWhole && { absent: 'delete', ...(most !== undefined && { max_deleted: most }) }),
        mode: isLax && !isWhole ? 'lax' : 'strict',
        dry_run: String(isCheck),
      } as object;
      await checkUnchanged(source);
      const content = table.content();
      const sent = content ?? file;
      const result = await importFile(fibre, sent, query, {
        format,
        gzip: gzip && !content,
        // A second import of the whole relation changes nothing, but may delete another number of nodes, for which the first key is taken.
        idempotencyKey: isWhole ? crypto.randomUUID() : key,
        onProgress: ({ bytes }) => setPercent(Math.floor((bytes / Math.max(1, sent.size)) * 100)),
        signal,
      });
      setDone({ result, wasChecked: isCheck, settings });
      announce(result.isRefused ? t.nothingImported : isCheck ? t.checked : t.imported);
      if (mayChange && !isCheck && !result.isRefused) {
        const left = result.refused > 0 && !result.stopped ? (result.refused_lines as unknown as Ranges) : undefined;
        // A second click sends the same rows again, which changes nothing.
        setRest((before) => left ?? before);
        setChosen((before) => ({ ...before, only: left ?? before.only }));
      }
      if (isCheck || result.isRefused || result.created + result.updated + result.deleted === 0) return;
      onChanged();
      void map.current?.showAll();
    });
  };
  return {
    preview,
    isReading,
    mayChange,
    table,
    /** The columns whose field is not known. */
    unknown,
    isInFile,
    chosen,
    setChosen,
    relation_id,
    setRelation,
    nameOfRelation,
    token,
    setToken,
    isLax,
    setLax,
    isWhole,
    setWhole,
    isSaved,
    setSaved,
    rest,
    wasAsked,
    /** The error of a field that has no value but needs one. */
    missing,
    send,
    transfer,
    percent,
    done,
    /** Whether nothing was changed since the result. */
    isCurrent: done?.settings === settings,
  };
}

export type FileImport = ReturnType<typeof useFileImport>;
