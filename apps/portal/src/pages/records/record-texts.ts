import { defineTexts } from '../../texts.js';

/** Texts that the pages of all kinds of records share. */
export const texts = defineTexts({
  wasCreated: [(name: string) => `${name} was created`, (name) => `${name} wurde angelegt`],
  wasSaved: ['Saved', 'Gespeichert'],
  wasDeleted: [(name: string) => `${name} was deleted`, (name) => `${name} wurde gelöscht`],
  edit: ['Edit', 'Bearbeiten'],
  danger: ['Danger zone', 'Gefahrenzone'],
  removeTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  nameTaken: ['This name is taken', 'Dieser Name ist vergeben'],
  nameTakenWhy: [
    'Choose another name, or use the existing record.',
    'Wählen Sie einen anderen Namen, oder verwenden Sie den vorhandenen Eintrag.',
  ],
  showOther: ['Show the existing record', 'Vorhandenen Eintrag anzeigen'],
  changed: ['Someone else has changed this in the meantime', 'Das wurde inzwischen von jemand anderem geändert'],
  changedWhy: [
    'Nothing was saved. Compare with the saved values; your changes stay in the form.',
    'Es wurde nichts gespeichert. Vergleichen Sie mit dem aktuellen Stand; Ihre Eingaben bleiben erhalten.',
  ],
  showSaved: ['Show the saved values', 'Aktuellen Stand anzeigen'],
  savedNow: [(value: string) => `Saved now: ${value}`, (value) => `Jetzt gespeichert: ${value}`],
  empty: ['empty', 'leer'],
  gone: ['Someone has deleted this in the meantime', 'Das wurde inzwischen gelöscht'],
  goneWhy: [
    'What you have typed is still here, but it cannot be saved.',
    'Ihre Eingaben sind noch da, lassen sich aber nicht mehr speichern.',
  ],
});
