import { defineTexts } from '../../../texts.js';

export const texts = defineTexts({
  title: ['A file of addresses', 'Eine Datei mit Adressen'],
  hint: [
    'CSV, TSV, GeoJSON or JSON lines, also compressed, with latitude and longitude. It is searched with the radius and the filters above.',
    'CSV, TSV, GeoJSON oder JSON-Zeilen, auch komprimiert, mit latitude und longitude. Gesucht wird mit dem Umkreis und den Filtern oben.',
  ],
  file: ['File of addresses', 'Datei mit Adressen'],
  unknown: [
    'What is in this file? Its name has to end in .csv, .tsv, .geojson or .ndjson.',
    'Was enthält diese Datei? Ihr Name muss auf .csv, .tsv, .geojson oder .ndjson enden.',
  ],
  searching: [(rows: string) => `${rows} addresses searched …`, (rows) => `${rows} Adressen durchsucht …`],
  done: [
    (covered: string, rows: string) => `${covered} of ${rows} addresses are covered`,
    (covered, rows) => `${covered} von ${rows} Adressen sind versorgt`,
  ],
  quality: [(quality: string) => `Quality ${quality}`, (quality) => `Qualität ${quality}`],
  none: ['Not covered', 'Nicht versorgt'],
  faulty: ['With an error', 'Mit Fehler'],
  save: ['Save the file with the results', 'Datei mit den Ergebnissen speichern'],
  saving: ['The file is being made …', 'Die Datei wird erstellt …'],
});
