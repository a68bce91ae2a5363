import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIME_ZONE_RELEASE } from '@fibre/dto';

/** The name of the release that {@link otherZoneRelease} makes. */
export const OTHER_RELEASE = '2099z';
/** The zone whose rules it changes, and the first dates of the days on which its clocks went from +08:30 to +09:00 in the two releases. */
export const ZONE = 'Asia/Pyongyang';
const [CHANGED, OTHERWISE] = ['2018-05-04T15:00:00Z', '2018-05-14T15:00:00Z'];

/**
 * Makes a folder for `ICU_TIMEZONE_FILES_DIR`: the time zones of this Node.js, with another name of the release and one change of clocks ten
 * days later. No package has a second release in a form that Node.js reads, and one of another Node.js would differ from this one elsewhere
 * with every update.
 */
export async function otherZoneRelease(): Promise<string> {
  const zones = Buffer.from(zonesOfThisNode());
  replaceOnce(zones, seconds(CHANGED), seconds(OTHERWISE));
  replaceOnce(zones, Buffer.from(TIME_ZONE_RELEASE, 'utf16le'), Buffer.from(OTHER_RELEASE, 'utf16le'));
  const folder = await mkdtemp(join(tmpdir(), 'fibre-zones-'));
  await writeFile(join(folder, ZONES), zones);
  return folder;
}

const ZONES = 'zoneinfo64.res';
/** Where ICU's data is: in Node.js itself or, on Debian for example, in a library. */
function dataFiles(): string[] {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  return [process.execPath, ...sharedObjects.filter((file) => /libicudata/.test(file))];
}

/** ICU's file of time zones, taken out of its package of data, which is a header and a table of names and places (`CmnD`). */
function zonesOfThisNode(): Buffer {
  for (const file of dataFiles()) {
    const data = readFileSync(file);
    for (let format = data.indexOf('CmnD'); format >= 0; format = data.indexOf('CmnD', format + 1)) {
      const start = format - 12;
      if (data.readUInt16BE(start + 2) !== 0xda27) continue;
      const table = start + data.readUInt16LE(start);
      const entry = (index: number): readonly [name: number, place: number] => [
        table + data.readUInt32LE(table + 4 + 8 * index),
        table + data.readUInt32LE(table + 8 + 8 * index),
      ];
      for (let index = 0; index < data.readUInt32LE(table) - 1; index++) {
        const [name, place] = entry(index);
        if (data.toString('latin1', name, data.indexOf(0, name)).endsWith(`/${ZONES}`)) return data.subarray(place, entry(index + 1)[1]);
      }
    }
  }
  throw new Error(`no data of ICU in ${dataFiles().join(', ')}`);
}

function seconds(time: string): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(Date.parse(time) / 1_000);
  return bytes;
}

function replaceOnce(data: Buffer, from: Buffer, to: Buffer): void {
  const place = data.indexOf(from);
  if (place < 0 || data.indexOf(from, place + 1) >= 0) throw new Error('the data of ICU does not contain this once');
  to.copy(data, place);
}
