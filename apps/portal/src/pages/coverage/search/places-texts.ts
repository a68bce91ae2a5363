import { defineTexts } from '../../../texts.js';

export const texts = defineTexts(
  {
    title: 'A file of addresses',
    hint: 'CSV, TSV, GeoJSON or JSON lines, also compressed, with latitude and longitude. It is searched with the radius and the filters above.',
    file: 'File of addresses',
    unknown: 'What is in this file? Its name has to end in .csv, .tsv, .geojson or .ndjson.',
    searching: (rows: string) => `${rows} addresses searched …`,
    done: (covered: string, rows: string) => `${covered} of ${rows} addresses are covered`,
    quality: (quality: string) => `Quality ${quality}`,
    none: 'Not covered',
    faulty: 'With an error',
    save: 'Save the file with the results',
    saving: 'The file is being made …',
    cancel: 'Cancel',
  },
  {
    title: 'Eine Datei mit Adressen',
    hint: 'CSV, TSV, GeoJSON oder JSON-Zeilen, auch komprimiert, mit latitude und longitude. Gesucht wird mit dem Umkreis und den Filtern oben.',
    file: 'Datei mit Adressen',
    unknown: 'Was enthält diese Datei? Ihr Name muss auf .csv, .tsv, .geojson oder .ndjson enden.',
    searching: (rows: string) => `${rows} Adressen durchsucht …`,
    done: (covered: string, rows: string) => `${covered} von ${rows} Adressen sind versorgt`,
    quality: (quality: string) => `Qualität ${quality}`,
    none: 'Nicht versorgt',
    faulty: 'Mit Fehler',
    save: 'Datei mit den Ergebnissen speichern',
    saving: 'Die Datei wird erstellt …',
    cancel: 'Abbrechen',
  },
);
