import { defineTexts } from '../../../texts.js';

/** What may be promised, as the choices of a filter. */
const OFFER_NAMES: Readonly<Record<string, string>> = { now: 'can be ordered now', from: 'can be ordered later', planned: 'only planned' };
const ANGEBOTE: Readonly<Record<string, string>> = { now: 'jetzt bestellbar', from: 'später bestellbar', planned: 'nur geplant' };

export const texts = defineTexts({
  onlyConnected: [
    (choice: string) => (choice === 'true' ? 'with connected homes' : 'without connected homes'),
    (choice) => (choice === 'true' ? 'mit angeschlossenen Wohnungen' : 'ohne angeschlossene Wohnungen'),
  ],
  offer: ['What may be promised', 'Was man zusagen darf'],
  offers: [(offer: string) => OFFER_NAMES[offer] ?? offer, (offer) => ANGEBOTE[offer] ?? offer],
  canOrderNow: ['can be ordered now', 'jetzt bestellbar'],
  canOrderFrom: [(date: string) => `can be ordered from ${date}`, (date) => `bestellbar ab ${date}`],
  canOrderWhenBuilt: ['can be ordered when construction ends', 'bestellbar, sobald der Bau abgeschlossen ist'],
  onlyPlanned: ['only planned', 'nur geplant'],
  availableBy: [(date: string) => `can be ordered by ${date}`, (date) => `bestellbar bis ${date}`],
  place: ['Address, place, coordinates or address ID', 'Adresse, Ort, Koordinaten oder Adress-ID'],
  addresses: ['Addresses', 'Adressen'],
  placeHint: ['Or click on the map. The nearest production nodes come first.', 'Oder klicken Sie auf die Karte. Das Nächste steht oben.'],
  noSuchPlace: ['No place in the gazetteer begins with this.', 'Das Ortsverzeichnis hat keinen Ort, der so beginnt.'],
  noSuchTown: [(name: string) => `The gazetteer has no town "${name}".`, (name) => `Das Ortsverzeichnis hat keinen Ort „${name}“.`],
  noSuchTownOrId: [
    (name: string, id: string) => `The gazetteer has no town "${name}", and no node has the address ID "${id}".`,
    (name, id) => `Das Ortsverzeichnis hat keinen Ort „${name}“, und kein Zugangsknoten hat die Adress-ID „${id}“.`,
  ],
  noSuchStreet: [
    (text: string) => `No node has an address with "${text}". You can also enter a town or coordinates, or click on the map.`,
    (text) =>
      `Kein Zugangsknoten hat eine Adresse mit „${text}“. Sie können auch einen Ort oder Koordinaten eingeben oder auf die Karte klicken.`,
  ],
  streetIgnored: [
    'No node has this address: only the town was searched.',
    'Kein Zugangsknoten hat diese Adresse: Gesucht wurde nur der Ort.',
  ],
  searchedWords: [(text: string) => `Searched for addresses with "${text}".`, (text) => `Gesucht nach Adressen mit „${text}“.`],
  searchedTown: [
    (name: string) => `Searched around the middle of ${name}. For a house, click on its place on the map.`,
    (name) => `Gesucht rund um die Mitte von ${name}. Für ein Haus klicken Sie auf der Karte auf seinen Ort.`,
  ],
  searchedCenter: [
    (center: string) => `Searched around the coordinates ${center}.`,
    (center) => `Gesucht rund um die Koordinaten ${center}.`,
  ],
  searchedId: [(id: string) => `Searched for the address ID ${id}.`, (id) => `Gesucht nach der Adress-ID ${id}.`],
  noSuchId: [(id: string) => `No node has the address ID "${id}".`, (id) => `Kein Zugangsknoten hat die Adress-ID „${id}“.`],
  noSuchIdFiltered: [
    (id: string) => `No node that the filters let through has the address ID "${id}".`,
    (id) => `Kein Zugangsknoten, der zu den Filtern passt, hat die Adress-ID „${id}“.`,
  ],
  within: [(metres: string) => `within ${metres} m`, (metres) => `im Umkreis von ${metres} m`],
  searchFilters: [(filters: string) => `Only ${filters}, of all relations.`, (filters) => `Nur ${filters}, in allen Relationen.`],
  radius: ['Radius in metres', 'Umkreis in Metern'],
  limit: ['Maximum results', 'Höchstzahl der Treffer'],
  found: [(nodes: string) => `${nodes} found`, (nodes) => `${nodes} gefunden`],
  moreByWords: ['There may be more, or better ones: add a word.', 'Vielleicht gibt es noch mehr oder bessere: Ergänzen Sie ein Wort.'],
  moreAtAddress: ['There are more at this address.', 'An dieser Adresse gibt es noch mehr.'],
  foundNone: ['No access nodes found', 'Keine Zugangsknoten gefunden'],
  allNodes: ['All nodes as a file', 'Alle Knoten als Datei'],
  allNodesHint: ['Those of all operators, in production.', 'Die veröffentlichten aller Betreiber.'],
  quality: ['Quality', 'Qualität'],
  operator: ['Operator', 'Betreiber'],
  pip: ['infrastructure', 'Infrastruktur'],
  contact: ['Contact:', 'Kontakt:'],
  order: ['Order page', 'Zur Bestellseite'],
  from: [(date: string) => `from ${date}`, (date) => `ab ${date}`],
  homes: [
    (count: string, number: number) => `${count} ${number === 1 ? 'home or business' : 'homes and businesses'}`,
    (count, number) => `${count} ${number === 1 ? 'Wohnung oder Betrieb' : 'Wohnungen und Betriebe'}`,
  ],
  ofThemConnected: [(count: string) => `${count} of them connected`, (count) => `davon ${count} angeschlossen`],
});
