import { defineTexts } from '../../texts.js';

export const texts = defineTexts({
  label: ['Find a record or a place', 'Eintrag oder Ort finden'],
  find: ['Find …', 'Finden …'],
  place: ['Place', 'Ort'],
  closing: ['Closing', 'Abschluss'],
  results: ['Results', 'Ergebnisse'],
  count: [(count: number) => `${count} found`, (count) => `${count} gefunden`],
  choose: ['Several may be meant: choose one.', 'Es kann mehreres gemeint sein: Wählen Sie aus.'],
  none: [(text: string) => `Nothing found for ${text}.`, (text) => `Zu ${text} wurde nichts gefunden.`],
  how: [
    'Names are found by how one of their words begins; addresses by how all of your words begin; references, address IDs, option82, towns and coordinates by how they begin; IDs as a whole or by their last eight characters.',
    'Namen werden über den Anfang eines ihrer Wörter gefunden, Adressen über die Anfänge aller Wörter, Referenzen, Adress-IDs, option82, Orte und Koordinaten über ihren Anfang, IDs als Ganzes oder über ihre letzten acht Zeichen.',
  ],
  away: [(sources: string) => `Incomplete: no results from ${sources}.`, (sources) => `Unvollständig: keine Ergebnisse von ${sources}.`],
});

/** What people call the fields by which records are found; the others keep the names that the APIs use. */
export const fieldTexts = defineTexts({
  customer_reference: ['customer reference', 'Kundenreferenz'],
  address: ['address', 'Adresse'],
  address_id: ['address ID', 'Adress-ID'],
  partner_reference: ['ISP reference', 'ISP-Referenz'],
  usr_reference: ['your reference', 'Ihre Referenz'],
});
