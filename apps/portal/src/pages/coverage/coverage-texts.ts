import type { Collection } from '@fibre/client';
import { defineTexts, formatEstimate, formatNumber } from '../../texts.js';
import type { Where } from './map/style/streets.js';

const NORTH_FIRST = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'];
const NORDEN_ZUERST = ['nördlich', 'nordöstlich', 'östlich', 'südöstlich', 'südlich', 'südwestlich', 'westlich', 'nordwestlich'];

/** The collections, as English sentences name them. */
export const COLLECTION_NAMES: Readonly<Record<Collection, string>> = { nodes: 'Production', prenodes: 'Pre-production' };

/** A distance in people's precision: `340 m`, `1.4 km`, `23 km`. */
export function formatDistance(metres: number): string {
  const rounded = Number(metres.toPrecision(2));
  return rounded < 1_000 ? `${formatNumber(rounded)} m` : `${formatNumber(rounded / 1_000)} km`;
}

export const texts = defineTexts({
  collection: ['Collection', 'Bestand'],
  panels: ['Tools', 'Werkzeuge'],
  searchAround: ['Around a place', 'Rund um einen Ort'],
  list: ['List', 'Liste'],
  create: ['New', 'Neu'],
  newNodeHint: ['Click on the map, or enter the center.', 'Klicken Sie auf die Karte, oder geben Sie den Mittelpunkt ein.'],
  createIn: [
    (target: Collection) => `Create in ${COLLECTION_NAMES[target]}`,
    (target) => (target === 'nodes' ? 'Veröffentlicht anlegen' : 'Als Entwurf anlegen'),
  ],
  wasCreated: ['The access node was created', 'Der Zugangsknoten wurde angelegt'],
  bulk: ['Merge, delete', 'Veröffentlichen, löschen'],
  files: ['Import, export', 'Import, Export'],
  token: ['Stage', 'Ausbaustufe'],
  technology: ['Technology', 'Technologie'],
  technologyHint: ['Such as ftth, fttb, fwa or docsis.', 'Etwa ftth, fttb, fwa oder docsis.'],
  status: ['Status', 'Status'],
  available_until: ['Can be ordered by', 'Bestellbar bis'],
  availableUntilHint: ['Hides what is only available later.', 'Blendet aus, was es erst später gibt.'],
  connected: ['Connected homes', 'Angeschlossene Wohnungen'],
  connectedChoices: [
    (choice: string) => (choice === 'true' ? 'at least one' : 'none'),
    (choice) => (choice === 'true' ? 'mindestens eine' : 'keine'),
  ],
  created_by: ['Created by', 'Angelegt von'],
  modified_by: ['Changed by', 'Geändert von'],
  legend: ['Legend', 'Legende'],
  legendCells: ['several', 'mehrere'],
  legendMissed: ['nothing found', 'ohne Treffer'],
  importFirst: ['Import access nodes', 'Zugangsknoten importieren'],
  noneYet: ['Nothing here yet.', 'Hier ist noch nichts.'],
  legendQuality: [(quality: string) => `quality ${quality}`, (quality) => `Qualität ${quality}`],
  where: [
    ({ grid, nearest }: Where) =>
      `Grid ${formatDistance(grid)}${nearest ? ` · ${formatDistance(nearest.metres)} ${NORTH_FIRST[nearest.direction]} of ${nearest.name}` : ''}`,
    ({ grid, nearest }) =>
      `Raster ${formatDistance(grid)}${nearest ? ` · ${formatDistance(nearest.metres)} ${NORDEN_ZUERST[nearest.direction]} von ${nearest.name}` : ''}`,
  ],
  clickAgain: ['Zoomed in. Now click on the exact place.', 'Vergrößert. Klicken Sie jetzt auf den genauen Ort.'],
  started: ['started', 'begonnen'],
  suspended: ['suspended', 'ausgesetzt'],
  completed: ['completed', 'abgeschlossen'],
  terminated: ['terminated', 'beendet'],
  mapLabel: [
    'Map of the access nodes. Arrow keys move the map, plus and minus zoom, and Enter opens what is at the center.',
    'Karte der Zugangsknoten. Pfeiltasten bewegen sie, Plus und Minus zoomen, die Eingabetaste öffnet, was in der Mitte ist.',
  ],
  zoomIn: ['Zoom in', 'Vergrößern'],
  zoomOut: ['Zoom out', 'Verkleinern'],
  attribution: ['Sources of the map', 'Quellen der Karte'],
  mapLoading: ['The map is loading …', 'Die Karte wird geladen …'],
  about: ['About', 'Etwa'],
  someNodes: [(count: string, isOne: boolean) => `${count} access ${isOne ? 'node' : 'nodes'}`, (count) => `${count} Zugangsknoten`],
  inView: [(nodes: string) => `${nodes} in view`, (nodes) => `${nodes} sichtbar`],
  noMap: ['This browser cannot draw the map: it has no WebGL', 'Dieser Browser kann die Karte nicht zeichnen: Er hat kein WebGL'],
  skipMap: ['Skip the map', 'Karte überspringen'],
  center: ['Center', 'Mittelpunkt'],
  whereItIs: ['Place', 'Ort'],
  centerHint: ['<latitude>, <longitude> in degrees, such as 48.2108, 16.3575', '<Breite>, <Länge> in Grad, etwa 48.2108, 16.3575'],
  listEmpty: ['No access nodes match these filters.', 'Keine Zugangsknoten passen zu diesen Filtern.'],
  listEmptyAll: [
    (target: Collection) => `No access nodes in ${COLLECTION_NAMES[target]} yet.`,
    (target) => (target === 'nodes' ? 'Noch keine veröffentlichten Zugangsknoten.' : 'Noch keine Zugangsknoten im Entwurf.'),
  ],
  close: ['Close', 'Schließen'],
  country: ['Country', 'Land'],
  customer_reference: ['Customer reference', 'Kundenreferenz'],
  address_id: ['Address ID', 'Adress-ID'],
  address: ['Address', 'Adresse'],
  latitude: ['Latitude', 'Breite'],
  longitude: ['Longitude', 'Länge'],
  lot_id: ['Lot ID', 'Grundstücks-ID'],
  relation_id: ['Relation ID', 'Relations-ID'],
  available_from: ['Can be ordered from', 'Bestellbar ab'],
  units: ['Homes and businesses', 'Wohnungen und Betriebe'],
  units_connected: ['Of these, connected', 'Davon angeschlossen'],
  download_mbps: ['Download in Mbit/s', 'Download in Mbit/s'],
  upload_mbps: ['Upload in Mbit/s', 'Upload in Mbit/s'],
  wasSaved: ['The access node was saved', 'Der Zugangsknoten wurde gespeichert'],
  removeNode: ['Delete the access node', 'Zugangsknoten löschen'],
  wasDeleted: ['The access node was deleted', 'Der Zugangsknoten wurde gelöscht'],
  noRelation: [
    'No relation has this id, but nodes name it. You can merge or delete them. To give them a relation, create one, import the file with its id, and delete these nodes.',
    'Keine Relation hat diese ID, aber Knoten nennen sie. Sie können sie veröffentlichen oder löschen. Um ihnen eine Relation zu geben, legen Sie eine an, importieren Sie die Datei mit deren ID, und löschen Sie diese Knoten.',
  ],
  createRelation: ['New relation', 'Neue Relation'],
  chooseRelation: ['Choose the relation first.', 'Wählen Sie zuerst die Relation.'],
  merge: ['Merge into production', 'Entwurf veröffentlichen'],
  compare: ['If you merge now:', 'Wenn Sie jetzt veröffentlichen:'],
  mergeMoves: [(count: string) => `${count} access nodes will be moved`, (count) => `${count} Zugangsknoten werden veröffentlicht`],
  mergeAdded: [(count: string) => `${count} of them will be new in production`, (count) => `${count} davon sind neu`],
  mergeChanged: [
    (count: string) => `${count} will change the node with the same customer reference`,
    (count) => `${count} davon ändern den veröffentlichten Knoten mit derselben Kundenreferenz`,
  ],
  mergeEqual: [
    (count: string) => `${count} will change nothing: production already has them`,
    (count) => `${count} davon ändern nichts: Sie sind schon so veröffentlicht`,
  ],
  mergeUnknown: [
    'There are too many to compare now: the result will show how many have the customer reference of a node in production.',
    'Wie viele davon die Kundenreferenz eines veröffentlichten Knotens haben, zeigt erst das Ergebnis; für einen Vergleich vorab sind es zu viele.',
  ],
  doMerge: [(count: string) => `Merge ${count} access nodes`, (count) => `${count} Zugangsknoten veröffentlichen`],
  merged: ['The merge is complete', 'Die Veröffentlichung ist abgeschlossen'],
  mergedNothing: ['There was nothing to do.', 'Es war nichts zu tun.'],
  mergedInsert: [(count: string) => `${count} moved to production`, (count) => `${count} neu angelegt`],
  mergedUpdate: [
    (count: string) => `${count} changed a node in production, or were equal to it`,
    (count) => `${count} haben einen Knoten geändert oder glichen ihm schon`,
  ],
  showMerged: ['Show them in production', 'Veröffentlichte zeigen'],
  deleteAll: ['Delete all access nodes of the relation', 'Alle Zugangsknoten der Relation löschen'],
  inCollection: [
    (count: string, target: Collection) => `${count} access nodes in ${COLLECTION_NAMES[target]}.`,
    (count, target) => (target === 'nodes' ? `${count} veröffentlichte Zugangsknoten.` : `${count} Zugangsknoten im Entwurf.`),
  ],
  noNodesIn: [
    (target: Collection) => `The relation has no access nodes in ${COLLECTION_NAMES[target]}.`,
    (target) => `Die Relation hat keine ${target === 'nodes' ? 'veröffentlichten Zugangsknoten' : 'Zugangsknoten im Entwurf'}.`,
  ],
  deleteConfirm: [(name: string) => `Type ${name} to confirm`, (name) => `Zur Bestätigung ${name} eingeben`],
  doDelete: ['Delete all', 'Alle löschen'],
  deletedAll: ['The access nodes were deleted', 'Die Zugangsknoten wurden gelöscht'],
});

/** A number of access nodes in words. */
export function nodesInWords(count: number, isEstimated = false): string {
  const t = texts();
  const nodes = t.someNodes((isEstimated ? formatEstimate : formatNumber)(count), count === 1);
  return isEstimated ? `${t.about} ${nodes}` : nodes;
}

/** The translation of a word from the API; a word without a translation is returned unchanged. */
export const nameOf = (word: string): string => ((texts() as Record<string, unknown>)[word] as string | undefined) ?? word;

/** Words from the API as the options of a field. */
export const choicesOf = (words: readonly string[]) => words.map((value) => ({ value, label: nameOf(value) }));
