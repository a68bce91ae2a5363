import type { OnProgress } from '@fibre/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Action, useTransfer } from '../hooks/use-action.js';
import { defineTexts, formatSize } from '../texts.js';
import { LARGEST_PAGE, type List, readAll } from '../hooks/use-listing.js';
import { announce } from './announcements.js';
import { csvOf, type FileColumns } from './csv.js';
import { Failure } from './failure.js';
import { Button } from './button.js';

const texts = defineTexts({
  exporting: [(size: string) => `${size} received`, (size) => `${size} empfangen`],
  exported: ['The file is saved', 'Die Datei ist gespeichert'],
  export: [(what: string) => `Export ${what}`, (what) => `${what} exportieren`],
});

export const FORMAT_NAMES = { csv: 'CSV', tsv: 'TSV', ndjson: 'JSON Lines', geojson: 'GeoJSON', xlsx: 'Excel' } as const;

export type Content = Blob | ReadableStream<Uint8Array>;

/** Makes the browser save a file, like a link with `download`. */
export async function saveFile(name: string, content: Content): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : await new Response(content as BodyInit).blob());
  link.download = name;
  link.click();
  // After a minute, the browser will have started to read the content.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Shows the progress of a transfer and a button that cancels it. If the transfer fails, shows why. */
export function TransferNote({ transfer, children }: { transfer: Action; children: ComponentChildren }) {
  if (transfer.error !== undefined) return <Failure error={transfer.error} takesFocus />;
  if (!transfer.isBusy) return null;
  return (
    <div class="transfer">
      {children}
      <Button label={texts().cancel} look="small" onClick={transfer.cancel} />
    </div>
  );
}

/** A button for each format in which a service can export a file, and the progress of the export. */
export function ExportButtons<F extends keyof typeof FORMAT_NAMES>(props: {
  /** Name of the file, without extension. */
  name: string;
  /** What the file contains, if the page exports several. */
  what?: string;
  formats: readonly F[];
  read: (format: F, options: { onProgress: OnProgress; signal: AbortSignal }) => PromiseLike<Content>;
}) {
  const t = texts();
  const transfer = useTransfer();
  const [bytes, setBytes] = useState(0);
  const save = (format: F): void => {
    setBytes(0);
    void transfer.run(async (signal) => {
      const content = await props.read(format, { onProgress: (progress) => setBytes(progress.bytes), signal });
      await saveFile(`${props.name}.${format}`, content);
      announce(t.exported);
    });
  };
  return (
    <>
      <div class="actions">
        {props.formats.map((format) => (
          <Button
            key={format}
            isBusy={transfer.isBusy}
            onClick={() => save(format)}
            label={t.export(props.what === undefined ? FORMAT_NAMES[format] : `${props.what} (${FORMAT_NAMES[format]})`)}
          />
        ))}
      </div>
      <TransferNote transfer={transfer}>
        <p role="status">{t.exporting(formatSize(bytes))}</p>
      </TransferNote>
    </>
  );
}

/** Exports a listing with its filters as a file: every record or, if one cannot be read, nothing. */
export function ListExport<T>({ name, list, columns }: { name: string; list: List<T>; columns: FileColumns<T> }) {
  const read = async (_: 'csv', { signal }: { signal: AbortSignal }) =>
    csvOf((await readAll(list({ _page_size: LARGEST_PAGE }, signal))).items, columns);
  return <ExportButtons name={name} formats={['csv']} read={read} />;
}
