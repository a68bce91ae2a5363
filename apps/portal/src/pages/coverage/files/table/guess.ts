import { IMPORT_COLUMNS, TOKENS } from '@fibre/client';

/** Names that people give to the columns of their files, by field and in order of preference, as {@link plain} writes them. */
const COLUMN_NAMES: Readonly<Record<string, string>> = {
  customer_reference: 'reference referenz ref kundenreferenz kennung externeid externalid objektid hnr hausnummer',
  latitude: 'lat breite breitengrad geobreite',
  longitude: 'lon lng long lange laenge langengrad laengengrad geolange',
  center: 'centre mittelpunkt koordinaten koordinate coordinates coordinate position latlon',
  token: 'stage stufe ausbaustufe ausbaustand ausbaustatus phase bauphase',
  status: 'zustand',
  technology: 'technik technologie tech anschlussart',
  available_from: 'canbeorderedfrom availablefrom bestellbarab verfugbarab verfuegbarab fertigstellung inbetriebnahme',
  units_connected:
    'oftheseconnected connected connectedunits connectedhomes homesconnected davonangeschlossen angeschlossen angeschlosseneeinheiten angeschlossenewohnungen angeschlossenewohneinheiten',
  units: 'homesandbusinesses homes premises wohnungen wohneinheiten wohnungenundbetriebe einheiten nutzungseinheiten we',
  download_mbps: 'download downloadmbit downloadmbits downloadinmbits down',
  upload_mbps: 'upload uploadmbit uploadmbits uploadinmbits up',
  address:
    'adresse anschrift strasse strassehausnummer strasseundhausnummer anschlussadresse objektadresse standortadresse streetaddress fulladdress',
  address_id: 'adrcd adresscode addresscode adressid uprn',
  lot_id: 'lot plot parcel grundstuck grundstueck grundstucksnummer gst gstnr gstnummer parzelle',
  country: 'land staat landercode laendercode countrycode',
  relation_id: 'relation',
};
const STAGE_NAMES: Readonly<Record<string, string>> = {
  planned: 'plan geplant inplanung planung projektiert',
  construction: 'bau inbau imbau inbauphase gebautwird underconstruction inconstruction',
  operation: 'betrieb inbetrieb inoperation gebaut built fertig fertiggestellt live aktiv active complete completed',
};

/** The fields that a column may contain, in the order in which people look for them. */
export const FIELDS = [...new Set([...Object.keys(COLUMN_NAMES), ...IMPORT_COLUMNS])];

/** Without case, accents, punctuation and remarks in brackets. */
const plain = (text: string): string =>
  text
    .replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, '')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]/g, '');

/** The field of each column that does not have the name of one: as known, or guessed. No field is guessed twice. */
export function fieldsOf(columns: readonly string[], known: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const guesses: Record<string, string> = {};
  const unknown = new Set(columns.filter((name) => !IMPORT_COLUMNS.includes(name) && known[name] === undefined));
  const taken = new Set(columns.map((name) => known[name] ?? name));
  for (const field of FIELDS.filter((one) => !taken.has(one))) {
    const names = [plain(field), ...(COLUMN_NAMES[field]?.split(' ') ?? [])];
    const found = names.flatMap((name) => [...unknown].find((column) => plain(column) === name) ?? [])[0];
    if (found === undefined) continue;
    guesses[found] = field;
    unknown.delete(found);
  }
  return { ...guesses, ...known };
}

/** The stage that a cell most likely means. */
export const guessStage = (cell: string): string | undefined =>
  TOKENS.find((token) => [token, ...STAGE_NAMES[token]!.split(' ')].includes(plain(cell)));

/** Whether a row begins with a word for a sum. */
export const isSum = (cells: readonly string[]): boolean =>
  ['summe', 'gesamt', 'gesamtsumme', 'insgesamt', 'total', 'totals', 'sum', 'grandtotal'].includes(
    plain(cells.find((cell) => cell.trim() !== '') ?? ''),
  );
