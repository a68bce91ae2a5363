/** German texts for the services' problems, keyed by code: a title and, for some, a text that replaces the service's English detail. */
export const GERMAN_PROBLEMS: Readonly<Record<string, readonly [title: string, detail?: string]>> = {
  'changes-gone': [
    'So alte Änderungen sind nicht mehr gespeichert',
    'Beginnen Sie bei einem späteren Zeitpunkt; den Stand davor zeigen die Listen.',
  ],
  'customer-reference-taken': [
    'Diese Kundenreferenz ist bereits vergeben',
    'Ein anderer Zugangsknoten dieser Relation hat dieselbe Kundenreferenz.',
  ],
  'event-in-future': ['Das Ereignis liegt in der Zukunft', 'Es darf nicht nach der jetzigen Zeit des Dienstes liegen.'],
  'event-order': ['Das passt nicht zur Reihenfolge: Aktivierung, Änderungen, Deaktivierung'],
  'event-time-taken': ['Ein anderes Ereignis hat denselben Zeitpunkt'],
  'file-changed': ['Die Datei wurde geändert, seit Sie sie gewählt haben', 'Wählen Sie sie noch einmal. Ihre Einstellungen bleiben.'],
  'file-refused': ['Die Datei wurde abgelehnt'],
  'idempotency-key-taken': ['Dieser Import wurde schon mit einer anderen Datei gesendet', 'Wählen Sie die Datei noch einmal.'],
  'import-refused': ['Der Import wurde abgelehnt'],
  'internal-error': ['Im Dienst ist ein Fehler aufgetreten', 'Die Ursache steht unter der Anfrage-ID im Protokoll des Dienstes.'],
  'invalid-request': ['Die Angaben sind ungültig'],
  'isp-in-use': ['Ereignisse nennen diesen ISP', 'Ereignisse werden nie gelöscht, daher bleibt auch der ISP.'],
  'isp-name-taken': ['Dieser Name ist vergeben', 'Wählen Sie einen anderen, oder verwenden Sie den Eintrag.'],
  'isp-tenant-taken': ['Dieser Mandant gehört schon zu einem anderen ISP'],
  'nodes-not-found': [
    'Einige der Zugangsknoten gibt es nicht mehr',
    'Es wurde nichts geändert. Laden Sie die Liste neu, und wählen Sie noch einmal.',
  ],
  'malformed-request': ['Die Anfrage ist nicht lesbar'],
  'payload-too-large': ['Die Datei ist zu groß', 'Teilen Sie sie auf.'],
  'relation-in-use': ['Die Relation wird verwendet', 'Sie hat noch Zugangsknoten; löschen Sie diese zuerst.'],
  'relation-name-taken': ['Dieser Name ist vergeben', 'Wählen Sie einen anderen, oder verwenden Sie den Eintrag.'],
  'request-timeout': ['Die Übertragung hat zu lange gedauert', 'Versuchen Sie es mit einer schnelleren Verbindung.'],
  'too-many-deletions': [
    'Inzwischen würden mehr Zugangsknoten gelöscht',
    'Es wurde nichts geändert. Prüfen Sie noch einmal, was sich ändern würde.',
  ],
  'too-many-rows': ['Zu viele Zeilen', 'Eine Excel-Datei fasst 1.048.576 Zeilen mit den Überschriften. Exportieren Sie als CSV.'],
  'too-many-webhooks': ['Ihr Mandant hat schon so viele Webhooks, wie erlaubt sind', 'Löschen Sie einen, den Sie nicht mehr brauchen.'],
  'unsupported-media-type': ['Dieses Format wird nicht unterstützt'],
};
