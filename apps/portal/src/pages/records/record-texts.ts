import { defineTexts } from '../../texts.js';

/** Texts that the pages of all kinds of records share. */
export const texts = defineTexts({
  wasCreated: [(name: string) => `${name} was created`, (name) => `${name} wurde angelegt`],
  wasSaved: ['Saved', 'Gespeichert'],
  savedMeanwhile: ['What is saved now, and what you have entered:', 'Was jetzt gespeichert ist, und was Sie eingegeben haben:'],
  savedAndTyped: [(saved: string, typed: string) => `${saved} · yours: ${typed}`, (saved, typed) => `${saved} · Ihres: ${typed}`],
  edit: ['Edit', 'Bearbeiten'],
});
