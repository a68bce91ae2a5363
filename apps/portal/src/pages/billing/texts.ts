import { defineTexts } from '../../texts.js';

export const texts = defineTexts({
  explanation: [
    'What is charged for each month. Close a month when you invoice it: later events then become corrections.',
    'Was in jedem Monat anfällt. Schließen Sie einen Monat ab, wenn Sie ihn verrechnen: Spätere Ereignisse werden dann zu Korrekturen.',
  ],
  explanationForIsps: [
    'What operators charge you for each month. What they record after closing a month becomes a correction.',
    'Was Netzbetreiber Ihnen in jedem Monat verrechnen. Was sie nach dem Abschluss eines Monats erfassen, wird zur Korrektur.',
  ],
  month: ['Month', 'Monat'],
  earlier: ['Show earlier months', 'Frühere Monate anzeigen'],
  running: ['running', 'läuft noch'],
  open: ['open', 'offen'],
  partly: ['partly closed', 'teils abgeschlossen'],
  closed: ['closed', 'abgeschlossen'],
  closings: ['Closings', 'Abschlüsse'],
  pending: ['Corrections pending', 'Offene Korrekturen'],
  allIsps: ['all ISPs', 'alle ISPs'],
  operator: ['Operator', 'Netzbetreiber'],

  asRecorded: ['As recorded', 'Stand'],
  now: ['Now', 'Jetzt'],
  closedOn: ['Closed on', 'Abgeschlossen am'],
  reference: ['Reference', 'Referenz'],
  totals: ['What is charged', 'Was verrechnet wird'],
  article: ['Article', 'Artikel'],
  days: ['Days', 'Tage'],
  sum: ['Sum', 'Summe'],
  none: ['No subscription was active in this period.', 'In diesem Zeitraum lief kein Abonnement.'],
  recordedUntil: ['Recorded until', 'Erfasst bis'],
  totalsFile: ['totals', 'Summen'],
  stepsFile: ['steps', 'Schritte'],
  correctionsFile: ['corrections', 'Korrekturen'],

  corrections: ['Corrections', 'Korrekturen'],
  since: [(moment: string) => `Changes since the closing of ${moment}.`, (moment) => `Änderungen seit dem Abschluss vom ${moment}.`],
  notClosed: ['Corrections appear here after the first closing.', 'Nach dem ersten Abschluss erscheinen hier die Korrekturen.'],
  isFirst: ['This is the first closing, so it corrects nothing.', 'Dies ist der erste Abschluss, er korrigiert daher nichts.'],
  oneByOne: [
    'Some closings do not concern all of them: choose one above to see what has changed since.',
    'Manche Abschlüsse gelten nicht für alle: Treffen Sie oben eine Auswahl, um zu sehen, was sich seither geändert hat.',
  ],
  changed: [(count: string) => `Entities with changes: ${count}`, (count) => `Entitäten mit Änderungen: ${count}`],
  noCorrections: ['Nothing has changed since then.', 'Seither hat sich nichts geändert.'],
  period: ['Period', 'Zeitraum'],
  credit: ['Days to credit', 'Gutschrift (Tage)'],
  charge: ['Days to charge', 'Belastung (Tage)'],
  truncated: ['Not all steps are shown.', 'Es werden nicht alle Schritte angezeigt.'],

  close: ['Close', 'Abschließen'],
  closeFor: [(window: string, party: string) => `Close ${window} for ${party}`, (window, party) => `${window} für ${party} abschließen`],
  closeMeans: [
    (moment: string) =>
      `This remembers what this page shows, as recorded until ${moment}, so that you can invoice it. Events recorded later change nothing in it; they become corrections.`,
    (moment) =>
      `Damit wird festgehalten, was diese Seite zeigt, erfasst bis ${moment}, damit Sie es verrechnen können. Später erfasste Ereignisse ändern daran nichts; sie werden zu Korrekturen.`,
  ],
  changedSince: [
    'Since this page was read, others have recorded events.',
    'Seit diese Seite gelesen wurde, haben andere Ereignisse erfasst.',
  ],
  changedChoice: [
    'Close what the page shows; the difference then becomes a correction. Or read again, and close what is charged now.',
    'Schließen Sie ab, was die Seite zeigt; der Unterschied wird dann zur Korrektur. Oder lesen Sie neu, und schließen Sie ab, was jetzt anfällt.',
  ],
  readAgain: ['Read again', 'Neu lesen'],
  daysNow: ['Days now', 'Tage jetzt'],
  checkFirst: ['Check this before you invoice', 'Prüfen Sie das, bevor Sie verrechnen'],
  closeForEver: [
    'A closing cannot be changed or deleted. After corrections, close the month again.',
    'Ein Abschluss lässt sich nicht ändern oder löschen. Nach Korrekturen schließen Sie den Monat erneut ab.',
  ],
  referenceHint: ['Such as the number of the invoice.', 'Etwa die Rechnungsnummer.'],
  wasClosed: [(window: string) => `${window} is closed`, (window) => `${window} ist abgeschlossen`],
  notEnded: ['It can be closed once it has ended.', 'Der Abschluss ist möglich, sobald der Zeitraum vorbei ist.'],
});
