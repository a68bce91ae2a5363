import { FILE_FORMATS, type FileFormat } from '@fibre/client';
import { useState } from 'preact/hooks';
import { announce } from '../../../ui/announcements.js';
import { useApp } from '../../../session/context.js';
import { formatNumber } from '../../../texts.js';
import { Failure } from '../../../ui/failure.js';
import type { Shown } from '../access-node.js';
import { texts as coverageTexts } from '../coverage-texts.js';
import { exportFile } from './files.js';
import { texts } from './files-texts.js';
import { saveFile } from './save-file.js';
import { useTransfer } from './use-transfer.js';

const MEGABYTE = 1_000_000;

/** What the map shows, as a file. */
export function ExportForm({ shown }: { shown: Shown }) {
  const t = texts();
  const { fibre } = useApp();
  const transfer = useTransfer();
  const [bytes, setBytes] = useState(0);
  const save = (format: FileFormat): void => {
    setBytes(0);
    void transfer.run(async (signal) => {
      const blob = await exportFile(fibre, format, shown, (progress) => setBytes(progress.bytes), signal);
      saveFile(`access-${shown.target}.${format}`, blob);
      announce(t.exported);
    });
  };
  return (
    <section class="section">
      <h2>{t.export}</h2>
      <p class="fine">{t.exportHint(coverageTexts()[shown.target])}</p>
      <div class="actions">
        {FILE_FORMATS.map((format) => (
          <button key={format} type="button" aria-disabled={transfer.isBusy} onClick={() => save(format)}>
            {t[format]}
          </button>
        ))}
      </div>
      {transfer.isBusy && (
        <div class="transfer">
          <p role="status">{t.exporting(formatNumber(Math.round(bytes / MEGABYTE)))}</p>
          <button type="button" class="small" onClick={transfer.cancel}>
            {t.cancel}
          </button>
        </div>
      )}
      {transfer.error !== undefined && <Failure error={transfer.error} takesFocus />}
    </section>
  );
}
