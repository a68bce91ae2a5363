import { defineTexts } from '../../../texts.js';

export const texts = defineTexts({
  title: ['A file of addresses', 'Eine Datei mit Adressen'],
  hint: [
    'CSV, TSV, GeoJSON or JSON lines, also compressed, with latitude and longitude. The radius and the filters above apply.',
    'CSV, TSV, GeoJSON oder JSON Lines, auch komprimiert, mit latitude und longitude. Es gelten der Umkreis und die Filter oben.',
  ],
  file: ['File of addresses', 'Datei mit Adressen'],
  unknown: [
    'The format of this file is unknown. Its name must end in .csv, .tsv, .geojson or .ndjson.',
    'Das Format dieser Datei ist unbekannt. Ihr Name muss auf .csv, .tsv, .geojson oder .ndjson enden.',
  ],
  searching: [(rows: string) => `${rows} addresses searched …`, (rows) => `${rows} Adressen geprüft …`],
  done: [
    (covered: string, rows: string) => `${covered} of ${rows} addresses are covered`,
    (covered, rows) => `${covered} von ${rows} Adressen sind versorgt`,
  ],
  quality: [(quality: string) => `Quality ${quality}`, (quality) => `Qualität ${quality}`],
  none: ['Not covered', 'Nicht versorgt'],
  faulty: ['With an error', 'Mit Fehler'],
  save: ['Save the file with the results', 'Datei mit den Ergebnissen speichern'],
  saving: ['Preparing the file …', 'Die Datei wird erstellt …'],
});
