import { defineTexts } from '../../texts.js';

/** Texts that the pages of all kinds of records share. */
export const texts = defineTexts({
  wasCreated: [(name: string) => `${name} was created`, (name) => `${name} wurde angelegt`],
  wasSaved: ['Saved', 'Gespeichert'],
  wasDeleted: [(name: string) => `${name} was deleted`, (name) => `${name} wurde gelöscht`],
  edit: ['Edit', 'Bearbeiten'],
  removeTitle: [(name: string) => `Delete ${name}?`, (name) => `${name} löschen?`],
});
