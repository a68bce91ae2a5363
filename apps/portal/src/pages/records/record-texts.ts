import { defineTexts } from '../../texts.js';

/** Texts that the pages of all kinds of records share. */
export const texts = defineTexts({
  wasCreated: [(name: string) => `${name} was created`, (name) => `${name} wurde angelegt`],
  wasSaved: ['Saved', 'Gespeichert'],
  wasDeleted: [(name: string) => `${name} was deleted`, (name) => `${name} wurde gelöscht`],
  edit: ['Edit', 'Bearbeiten'],
  removeTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
  nameTaken: ['This name is taken', 'Dieser Name ist vergeben'],
  nameTakenWhy: ['Choose another name, or use the existing record.', 'Wählen Sie einen anderen, oder verwenden Sie den Eintrag.'],
  showOther: ['Show the existing record', 'Vorhandenen Eintrag anzeigen'],
  savedNow: [(value: string) => `Saved now: ${value}`, (value) => `Jetzt gespeichert: ${value}`],
  empty: ['empty', 'leer'],
  gone: ['Someone has deleted this in the meantime', 'Das wurde inzwischen gelöscht'],
  goneWhy: ['Your input is still here, but it cannot be saved.', 'Ihre Eingaben sind noch da, lassen sich aber nicht speichern.'],
});
