import { defineTexts } from '../../texts.js';

export const texts = defineTexts({
  collection: ['Collection', 'Bestand'],
  panels: ['Tools', 'Werkzeuge'],
  searchAround: ['Around a place', 'Rund um einen Ort'],
  list: ['List', 'Liste'],
  create: ['New', 'Neu'],
  newNodeHint: ['Click on the map, or type the center.', 'Klicken Sie auf die Karte, oder geben Sie den Mittelpunkt ein.'],
  createIn: [(collection: string) => `Create in ${collection}`, (collection) => `In ${collection} anlegen`],
  wasCreated: ['The access node was created', 'Der Zugangsknoten wurde angelegt'],
  bulk: ['Merge, delete', 'Übernehmen, löschen'],
  files: ['Import, export', 'Import, Export'],
  token: ['Stage', 'Ausbaustufe'],
  technology: ['Technology', 'Technologie'],
  technologyHint: [
    'ftth, fttb, fttc, fwa, docsis, dsl or any other, in upper or lower case.',
    'ftth, fttb, fttc, fwa, docsis, dsl oder eine andere; Groß- und Kleinschreibung spielt keine Rolle.',
  ],
  status: ['Status', 'Status'],
  reset: ['Reset the filters', 'Filter zurücksetzen'],
  legend: ['On the map', 'Auf der Karte'],
  legendCells: [
    'several access nodes: their number and the share of each stage; ≈ means estimated',
    'mehrere Zugangsknoten: ihre Anzahl und der Anteil jeder Ausbaustufe; ≈ heißt geschätzt',
  ],
  started: ['started', 'begonnen'],
  suspended: ['suspended', 'ausgesetzt'],
  completed: ['completed', 'abgeschlossen'],
  terminated: ['terminated', 'beendet'],
  mapLabel: [
    'Map of the access nodes. Arrow keys move it, plus and minus zoom, Enter opens what is in the middle.',
    'Karte der Zugangsknoten. Pfeiltasten bewegen sie, Plus und Minus zoomen, die Eingabetaste öffnet, was in der Mitte ist.',
  ],
  zoomIn: ['Zoom in', 'Vergrößern'],
  zoomOut: ['Zoom out', 'Verkleinern'],
  attribution: ['Sources of the map', 'Quellen der Karte'],
  mapLoading: ['The map is loading …', 'Die Karte wird geladen …'],
  inView: [
    (count: string, number: number, isEstimated: boolean) =>
      `${isEstimated ? 'About ' : ''}${count} access ${number === 1 ? 'node' : 'nodes'} in view`,
    (count, _number, isEstimated) => `${isEstimated ? 'Etwa ' : ''}${count} Zugangsknoten im Ausschnitt`,
  ],
  cell: [
    (count: string, isEstimated: boolean) => `${isEstimated ? 'About ' : ''}${count} access nodes`,
    (count, isEstimated) => `${isEstimated ? 'Etwa ' : ''}${count} Zugangsknoten`,
  ],
  noTiles: [
    'Search for access nodes here. To see your own on the map, ask your administrator for read access.',
    'Hier können Sie nach Zugangsknoten suchen. Um eigene auf der Karte zu sehen, bitten Sie Ihren Administrator um Lesezugriff.',
  ],
  noMap: ['The map cannot be drawn', 'Die Karte lässt sich nicht zeichnen'],
  noMapWhy: [
    'This browser does not support WebGL, or it is disabled. Search and list work without it.',
    'Dieser Browser unterstützt WebGL nicht, oder es ist abgeschaltet. Suche und Liste funktionieren auch ohne.',
  ],
  skipMap: ['Skip the map', 'Karte überspringen'],
  searchHint: [
    'Click on the map, or type a place. The nearest production nodes come first.',
    'Klicken Sie auf die Karte, oder geben Sie einen Ort ein. Die nächstgelegenen Zugangsknoten der Produktion stehen oben.',
  ],
  searchFilters: [
    (filters: string) => `Only ${filters}. The search covers all relations.`,
    (filters) => `Nur ${filters}. Gesucht wird in allen Relationen.`,
  ],
  center: ['Center', 'Mittelpunkt'],
  centerHint: ['<latitude>, <longitude> in degrees, such as 48.2108, 16.3575', '<Breite>, <Länge> in Grad, etwa 48.2108, 16.3575'],
  decimalComma: [
    (center: string) => `Use a decimal point instead of a comma. Do you mean ${center}?`,
    (center) => `Verwenden Sie einen Dezimalpunkt statt eines Kommas. Meinen Sie ${center}?`,
  ],
  useThis: [(center: string) => `Use ${center}`, (center) => `${center} übernehmen`],
  radius: ['Radius in metres', 'Umkreis in Metern'],
  limit: ['Maximum number of results', 'Höchstzahl der Treffer'],
  doSearch: ['Search', 'Suchen'],
  found: [
    (count: number) => (count === 1 ? '1 access node found' : `${count} access nodes found`),
    (count) => `${count} Zugangsknoten gefunden`,
  ],
  foundNone: ['There are no access nodes within the radius.', 'Im Umkreis gibt es keine Zugangsknoten.'],
  metres: [(distance: string) => `${distance} m`, (distance) => `${distance} m`],
  quality: ['Quality', 'Qualität'],
  listEmpty: ['No access nodes match these filters.', 'Keine Zugangsknoten passen zu diesen Filtern.'],
  listEmptyAll: [
    (collection: string) => `There are no access nodes in ${collection} yet.`,
    (collection) => `In ${collection} gibt es noch keine Zugangsknoten.`,
  ],
  open: ['Open', 'Öffnen'],
  close: ['Close', 'Schließen'],
  country: ['Country', 'Land'],
  customer_reference: ['Customer reference', 'Kundenreferenz'],
  address_id: ['Address ID', 'Adress-ID'],
  wasSaved: ['The access node was saved', 'Der Zugangsknoten wurde gespeichert'],
  nodeChanged: [
    'Someone else has changed the access node in the meantime',
    'Der Zugangsknoten wurde inzwischen von jemand anderem geändert',
  ],
  nodeChangedWhy: [
    'Nothing was saved or deleted. Look at the current version.',
    'Es wurde nichts gespeichert oder gelöscht. Sehen Sie sich den aktuellen Stand an.',
  ],
  showSaved: ['Show the current version', 'Aktuellen Stand anzeigen'],
  removeNode: ['Delete the access node', 'Zugangsknoten löschen'],
  wasDeleted: ['The access node was deleted', 'Der Zugangsknoten wurde gelöscht'],
  chooseRelation: ['Choose the relation first.', 'Wählen Sie zuerst die Relation.'],
  merge: ['Merge into production', 'In die Produktion übernehmen'],
  mergeExplanation: [
    'Moves all access nodes of the relation from pre-production to production, in one step.',
    'Übernimmt alle Zugangsknoten der Relation in einem Schritt aus der Vorproduktion in die Produktion.',
  ],
  compare: ['The merge would now:', 'Die Übernahme würde jetzt:'],
  mergeNothing: [
    'Nothing to merge: the relation has no access nodes in pre-production.',
    'Nichts zu übernehmen: Die Relation hat keine Zugangsknoten in Vorproduktion.',
  ],
  mergeMoves: [
    (count: string) => `move ${count} access nodes out of pre-production`,
    (count) => `${count} Zugangsknoten aus der Vorproduktion übernehmen`,
  ],
  mergeInserts: [(count: string) => `${count} of them are new in production`, (count) => `${count} davon neu anlegen`],
  mergeUpdates: [
    (count: string) => `${count} replace the one with the same customer reference`,
    (count) => `mit ${count} davon den Knoten mit derselben Kundenreferenz ersetzen`,
  ],
  mergeUnknown: [
    'There are too many to compare now: the result will show how many replaced a node with the same customer reference.',
    'Wie viele davon einen Knoten mit derselben Kundenreferenz ersetzen, zeigt erst das Ergebnis; für einen Vergleich vorab sind es zu viele.',
  ],
  doMerge: [(count: string) => `Merge ${count} access nodes`, (count) => `${count} Zugangsknoten übernehmen`],
  merged: ['The merge is complete', 'Die Übernahme ist abgeschlossen'],
  mergedInsert: [(count: string) => `${count} moved to production`, (count) => `${count} neu angelegt`],
  mergedUpdate: [
    (count: string) => `${count} replaced one in production`,
    (count) => `${count} haben einen Knoten in der Produktion ersetzt`,
  ],
  mergedNothing: ['There was nothing to do.', 'Es war nichts zu tun.'],
  deleteAll: ['Delete all access nodes of the relation', 'Alle Zugangsknoten der Relation löschen'],
  deleteExplanation: [
    (count: string, collection: string) => `Deletes ${count} access nodes of the relation in ${collection}. This cannot be undone.`,
    (count, collection) => `Löscht ${count} Zugangsknoten der Relation in ${collection}. Das lässt sich nicht rückgängig machen.`,
  ],
  deleteNothing: [
    (collection: string) => `The relation has no access nodes in ${collection}.`,
    (collection) => `Die Relation hat in ${collection} keine Zugangsknoten.`,
  ],
  deleteConfirm: [(name: string) => `Type ${name} to confirm`, (name) => `Zur Bestätigung ${name} eingeben`],
  doDelete: ['Delete all', 'Alle löschen'],
  deletedAll: ['The access nodes were deleted', 'Die Zugangsknoten wurden gelöscht'],
});

/** The translation of a word of the API; a word without one stays as it is. */
export const nameOf = (word: string): string => ((texts() as Record<string, unknown>)[word] as string | undefined) ?? word;
