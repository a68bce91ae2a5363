import { defineTexts } from '../texts.js';

export const texts = defineTexts({
  title: ['Overview', 'Übersicht'],
  welcome: [(name: string) => `Welcome, ${name}.`, (name) => `Willkommen, ${name}.`],
  steps: ['First steps', 'Erste Schritte'],
  firstRelation: ['Create a relation', 'Eine Relation anlegen'],
  firstImport: ['Import access nodes', 'Zugangsknoten importieren'],
  firstActivation: ['Record the first event of an entity', 'Das erste Ereignis einer Entität erfassen'],
  done: ['(done)', '(erledigt)'],
  waiting: ['Waiting for a merge', 'Wartet auf die Übernahme'],
  noneWaiting: ['No relation has nodes in pre-production.', 'Keine Relation hat Knoten in Vorproduktion.'],
  merge: [(count: string) => `Merge ${count}`, (count) => `${count} übernehmen`],
  eventsOfDay: ['Events in the last 24 hours', 'Ereignisse der letzten 24 Stunden'],
  imports: ['Imports in the last 24 hours', 'Importe der letzten 24 Stunden'],
  noImports: ['None.', 'Keine.'],
  imported: [
    (rows: string, created: string, updated: string, refused: string) =>
      `${rows} rows: ${created} new, ${updated} changed, ${refused} rejected`,
    (rows, created, updated, refused) => `${rows} Zeilen: ${created} neu, ${updated} geändert, ${refused} abgelehnt`,
  ],
});
