import type { OnProgress } from '@fibre/client';
import { useState } from 'preact/hooks';
import { saveFile } from '../hooks/save-file.js';
import { useTransfer } from '../hooks/use-transfer.js';
import { defineTexts, formatNumber } from '../texts.js';
import { announce } from './announcements.js';
import { TransferNote } from './transfer-note.js';

const MEGABYTE = 1_000_000;

const texts = defineTexts({
  exporting: [(megabytes: string) => `${megabytes} MB received`, (megabytes) => `${megabytes} MB empfangen`],
  exported: ['The file is saved', 'Die Datei ist gespeichert'],
});

/** A file that a service writes, in one of its formats. */
export interface ExportFile {
  readonly label: string;
  readonly name: string;
  readonly read: (options: { onProgress: OnProgress; signal: AbortSignal }) => PromiseLike<ReadableStream<Uint8Array>>;
}

/** A button for each file; says how far it is. */
export function ExportButtons({ files }: { files: readonly ExportFile[] }) {
  const t = texts();
  const transfer = useTransfer();
  const [bytes, setBytes] = useState(0);
  const save = ({ name, read }: ExportFile): void => {
    setBytes(0);
    void transfer.run(async (signal) => {
      const stream = await read({ onProgress: (progress) => setBytes(progress.bytes), signal });
      saveFile(name, await new Response(stream).blob());
      announce(t.exported);
    });
  };
  return (
    <>
      <div class="actions">
        {files.map((file) => (
          <button key={file.name} type="button" aria-disabled={transfer.isBusy} onClick={() => save(file)}>
            {file.label}
          </button>
        ))}
      </div>
      <TransferNote transfer={transfer}>
        <p role="status">{t.exporting(formatNumber(Math.round(bytes / MEGABYTE)))}</p>
      </TransferNote>
    </>
  );
}
