import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';

const SOFFICE = process.env.SOFFICE ?? '/usr/bin/soffice';
/** Tests that need it are skipped where it is missing: `apt-get install libreoffice-calc`, or set SOFFICE. */
export const hasLibreOffice = existsSync(SOFFICE);

/** A cell as LibreOffice shows it: a text, or what is shown of a number, a date or a boolean; nothing if there is no value. */
export type ShownCell = { readonly text: string } | { readonly value: string } | undefined;

/** Tab-separated, in UTF-8, with quotes around texts only, and with values as they are shown. */
const AS_SHOWN = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,true,false,true';

/** Opens spreadsheets with the settings of a country. @returns the rows of each */
export async function shownByLibreOffice(files: readonly string[], locale: 'en-US' | 'de-AT'): Promise<ShownCell[][][]> {
  const folder = await mkdtemp(join(tmpdir(), 'libre-office-'));
  try {
    await mkdir(join(folder, 'user'));
    await writeFile(join(folder, 'user/registrymodifications.xcu'), settings(locale));
    const profile = `-env:UserInstallation=${pathToFileURL(folder).href}`;
    await promisify(execFile)(SOFFICE, [profile, '--headless', '--convert-to', AS_SHOWN, '--outdir', folder, ...files]);
    return await Promise.all(files.map(async (file) => rowsOf(await readFile(join(folder, basename(file, '.xlsx') + '.csv'), 'utf8'))));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const settings = (locale: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>`;

function rowsOf(table: string): ShownCell[][] {
  const rows: ShownCell[][] = [[]];
  for (const [, quoted, plain, end] of table.matchAll(/(?:"((?:[^"]|"")*)"|([^\t\n"]*))(\t|\n)/g)) {
    rows.at(-1)!.push(quoted === undefined ? (plain ? { value: plain } : undefined) : { text: quoted.replaceAll('""', '"') });
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
