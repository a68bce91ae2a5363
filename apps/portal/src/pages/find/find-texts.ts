import { defineTexts } from '../../texts.js';

export const texts = defineTexts({
  label: ['Find a record or a place', 'Eintrag oder Ort finden'],
  find: ['Find …', 'Finden …'],
  place: ['Place', 'Ort'],
  results: ['Results', 'Ergebnisse'],
  count: [(count: number) => `${count} found`, (count) => `${count} gefunden`],
  none: [(text: string) => `Nothing begins with ${text}.`, (text) => `Nichts beginnt mit ${text}.`],
  how: [
    'Names, customer references, address IDs, option82, partner references, towns and coordinates are found by how they begin, IDs by their first eight characters.',
    'Namen, Kundenreferenzen, Adress-IDs, option82, Partnerreferenzen, Orte und Koordinaten werden über ihren Anfang gefunden, IDs über ihre ersten acht Zeichen.',
  ],
  away: [(sources: string) => `Incomplete: no results from ${sources}.`, (sources) => `Unvollständig: keine Ergebnisse von ${sources}.`],
});
