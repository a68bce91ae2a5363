import { defineTexts } from '../../texts.js';

/** Texts that the pages of all kinds of records share. */
export const texts = defineTexts({
  name: ['Name', 'Name'],
  created: ['Created', 'Angelegt'],
  modified: ['Changed', 'Geändert'],
  save: ['Save', 'Speichern'],
  cancel: ['Cancel', 'Abbrechen'],
  wasCreated: [(name: string) => `${name} was created`, (name) => `${name} wurde angelegt`],
  wasSaved: ['Saved', 'Gespeichert'],
  wasDeleted: [(name: string) => `${name} was deleted`, (name) => `${name} wurde gelöscht`],
  edit: ['Edit', 'Bearbeiten'],
  danger: ['Danger zone', 'Gefahrenbereich'],
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
    'What you have typed is still here. You can create it again.',
    'Ihre Eingaben sind noch da. Sie können den Eintrag neu anlegen.',
  ],
  createAgain: ['Create it again', 'Neu anlegen'],
  toList: ['Back to the list', 'Zurück zur Liste'],
});
