import type { Sentences } from '../refusal.js';
import { formatMoment, language } from '../texts.js';

/** What the services say about a value that they reject, and the German translation. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^is required.*$/, 'ist erforderlich'],
  [/^must not be more than units, which is (\d+)$/, 'darf nicht mehr sein als Wohnungen und Betriebe, also $1'],
  [/^must not be less than units_connected, which is (\d+)$/, 'darf nicht weniger sein als die angeschlossenen, also $1'],
  [/^is (\d+), but the node has no units$/, 'ist $1, aber die Zahl der Wohnungen und Betriebe fehlt'],
  [/^must have (\d+) to (\d+) characters$/, 'muss $1 bis $2 Zeichen lang sein'],
  [/^must be a whole number from (\S+) to (\S+)$/, 'muss eine ganze Zahl von $1 bis $2 sein'],
  [/^must be a number of metres from (\S+) to (\S+)$/, 'muss eine Zahl von $1 bis $2 Metern sein'],
  [/^must be one of (.+)$/, 'muss einer dieser Werte sein: $1'],
  [/^must be a UUID$/, 'muss eine UUID sein'],
  [/^must be an email address of at most (\d+) characters$/, 'muss eine E-Mail-Adresse mit höchstens $1 Zeichen sein'],
  [/^must be an https URL.*$/, 'muss eine https-Adresse sein'],
  [/^must be a two-letter country code.*$/, 'muss ein Ländercode aus zwei Großbuchstaben sein'],
  [
    /^must be 1 to (\d+) lower-case letters.*$/,
    'muss 1 bis $1 Kleinbuchstaben, Ziffern, Punkte, Unter- oder Bindestriche lang sein und mit Buchstabe oder Ziffer beginnen',
  ],
  [/^must be a timestamp with UTC offset.* such as (\S+)$/, 'muss ein Zeitpunkt mit UTC-Abstand sein, etwa $1'],
  [/^must be '<latitude>, <longitude>'.* such as (.+)$/, 'muss „Breite, Länge“ in Dezimalgrad sein, etwa $1'],
  [/^must be decimal degrees, such as (\S+)$/, 'muss in Dezimalgrad angegeben sein, etwa $1'],
  [/^(?:\w+ )?must be between (\S+) and (\S+); are.*swapped\?$/, 'muss zwischen $1 und $2 liegen; sind Breite und Länge vertauscht?'],
  [/^(?:\w+ )?must be between (\S+) and (\S+)$/, 'muss zwischen $1 und $2 liegen'],
  [/^must be a relation that you have created$/, 'muss eine Relation sein, die Sie angelegt haben'],
  [/^is not a registered ISP$/, 'muss ein eingetragener ISP sein'],
  [/^must not be in the future$/, 'darf nicht in der Zukunft liegen'],
  [/^must not be before \w+$/, 'darf nicht vor dem Beginn liegen'],
  [/^must not begin with white space; it has (\S+) as character (\d+)$/, 'darf nicht mit einem Leerraum beginnen; Zeichen $2 ist $1'],
  [/^must not end with white space; it has (\S+) as character (\d+)$/, 'darf nicht mit einem Leerraum enden; Zeichen $2 ist $1'],
  [/^must not contain a control character; it has (\S+) as character (\d+)$/, 'darf kein Steuerzeichen enthalten; Zeichen $2 ist $1'],
  [
    /^must not contain an invisible character; it has (\S+) as character (\d+)$/,
    'darf kein unsichtbares Zeichen enthalten; Zeichen $2 ist $1',
  ],
  [/^is missing; it must be a column.*$/, 'fehlt; es muss eine Spalte der Datei oder ein Wert für alle Zeilen sein'],
  [/^is missing; use center.*$/, 'fehlt; erforderlich ist center, oder latitude und longitude'],
  [/^is repeated in line (\d+)$/, 'kommt auch in Zeile $1 vor'],
  [/^is repeated in feature (\d+)$/, 'kommt auch in Feature $1 vor'],
  [/^is already used in line (\d+)$/, 'kommt schon in Zeile $1 vor'],
  [/^is already used in feature (\d+)$/, 'kommt schon in Feature $1 vor'],
  [
    /^is new, but differs from (".*"), a node that no row names, only in .*$/,
    'ist neu, unterscheidet sich aber von $1, einem Zugangsknoten ohne Zeile, nur durch Großschreibung, führende Nullen oder die Schreibweise einer Zahl, eines Datums oder einer Uhrzeit; vielleicht hat ein Programm den Wert geändert',
  ],
  [/^has (\d+) cells, but the header has (\d+)$/, 'hat $1 Zellen, die Kopfzeile aber $2'],
  [/^must be a date.*$/, 'muss ein Datum sein, etwa 2027-03-01'],
  [
    /^The file is an old or protected Excel file\.$/,
    'Die Datei ist eine alte oder geschützte Excel-Datei. Speichern Sie sie als .xlsx, ohne Kennwort.',
  ],
  [/^The file is a ZIP archive\.$/, 'Die Datei ist ein ZIP-Archiv. Entpacken Sie es, und wählen Sie die Datei darin.'],
  [/^The file is too large for the browser\.$/, 'Die Datei ist zu groß für den Browser. Speichern Sie sie als „CSV UTF-8“.'],
  [
    /^The file is not a spreadsheet in the format \.xlsx.*$/,
    'Die Datei ist keine lesbare .xlsx-Datei. Öffnen Sie sie in Excel, und speichern Sie sie als .xlsx, ohne Kennwort.',
  ],
  [
    /^The file contains bytes that are not UTF-8, line (\d+)\.$/,
    'Zeile $1 der Datei ist nicht in UTF-8. Speichern Sie die Datei in UTF-8, in Excel mit dem Typ „CSV UTF-8“.',
  ],
  [
    /^The file has a quote within a cell, line (\d+)\.$/,
    'Zeile $1 der Datei hat ein Anführungszeichen in einer Zelle. Setzen Sie die Zelle in Anführungszeichen, und verdoppeln Sie die darin.',
  ],
  [
    /^The file has an unclosed quote that begins in this row, line (\d+)\.$/,
    'In Zeile $1 der Datei beginnt ein Anführungszeichen, das nicht geschlossen wird.',
  ],
  [
    /^The window is not over yet: it ends at (.+), and only what was recorded until (.+) counts\.$/,
    'Der Zeitraum war noch nicht zu Ende: Er endet $1, und es zählt nur, was bis $2 erfasst war.',
  ],
  [
    /^The window begins (.+) before the end of closing (.+): that time is charged twice\.$/,
    'Der Zeitraum beginnt $1 vor dem Ende des Abschlusses $2: Diese Zeit wird doppelt verrechnet.',
  ],
  [
    /^The window begins (.+) after the end of closing (.+): that time is left out\.$/,
    'Der Zeitraum beginnt $1 nach dem Ende des Abschlusses $2: Diese Zeit wird nicht verrechnet.',
  ],
  [
    /^The window ends (.+) after the start of closing (.+): that time is charged twice\.$/,
    'Der Zeitraum endet $1 nach dem Beginn des Abschlusses $2: Diese Zeit wird doppelt verrechnet.',
  ],
  [
    /^The window ends (.+) before the start of closing (.+): that time is left out\.$/,
    'Der Zeitraum endet $1 vor dem Beginn des Abschlusses $2: Diese Zeit wird nicht verrechnet.',
  ],
  [/^The access token lacks the scope (.+)\.$/, 'Ihrem Konto fehlt die Berechtigung $1.'],
  [/^There is no (?:\w+ )+(\S+)\.$/, '$1 gibt es nicht.'],
];

const EVENTS: Readonly<Record<string, string>> = { activation: 'Aktivierung', update: 'Änderung', deactivation: 'Deaktivierung' };
/** The parts of the sentences that say why an event does not fit among the others of its entity. */
const ORDER: readonly (readonly [RegExp, string | ((...parts: string[]) => string)])[] = [
  [/An activation must be [^,]+, but /g, 'Eine Aktivierung muss das erste Ereignis sein oder auf eine Deaktivierung folgen; '],
  [/An update must [^,]+, but /g, 'Eine Änderung muss auf eine Aktivierung oder Änderung folgen; '],
  [/A deactivation must [^,]+, but /g, 'Eine Deaktivierung muss auf eine Aktivierung oder Änderung folgen; '],
  [/The entity already has the (.+) with other core attributes.*$/g, 'Zu diesem Zeitpunkt gibt es schon the $1 mit anderen Angaben.'],
  [/there is none before this one/g, 'davor gibt es aber keine'],
  [/comes before this one/g, 'liegt aber davor'],
  [/would follow this (\w+)/g, (_, type) => `würde aber auf diese ${EVENTS[type]} folgen`],
  [/the (activation|update|deactivation) of /g, (_, type) => `die ${EVENTS[type]} vom `],
];

function inGerman(sentence: string): Sentences {
  if (/^(An? \w+ must|The entity already has)/.test(sentence))
    return { text: ORDER.reduce((text, [pattern, german]) => text.replace(pattern, german as string), sentence) };
  // A sentence that cannot be shown next to its field begins with the name of the field.
  const [name = ''] = /^[\w./]+: /.exec(sentence) ?? [];
  const rest = sentence.slice(name.length);
  const rule = RULES.find(([pattern]) => pattern.test(rest));
  return rule ? { text: name + rest.replace(...rule) } : { text: sentence, lang: 'en' };
}

/** The services write moments in UTC; people compare them with those on the page, which are in the time zone of the browser. */
const inLocalTime = (sentence: string): string =>
  sentence.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}\+00:00/g, (at) => formatMoment(at));

/** Sentences from a service, translated to the language of the page if a translation is known, or sentences from the portal itself. */
export function Translated({ text, lang }: Sentences) {
  const sentences = text.split('\n').map((sentence): Sentences => {
    if (!lang) return { text: sentence };
    const local = inLocalTime(sentence);
    return language.value === 'de' ? inGerman(local) : { text: local };
  });
  return (
    <>
      {sentences.map((sentence, index) => (
        <span key={index} lang={sentence.lang}>
          {index > 0 && '; '}
          {sentence.text}
        </span>
      ))}
    </>
  );
}
