import { defineTexts } from '../../texts.js';

export const texts = defineTexts({
  explanation: [
    'What to charge for a month, and what has changed since the invoice.',
    'Was in einem Monat zu verrechnen ist und was sich seit der Rechnung geändert hat.',
  ],
  month: ['Month', 'Monat'],
  monthHint: ['From midnight to midnight in Vienna, such as 2026-10.', 'Von Mitternacht bis Mitternacht in Wien, etwa 2026-10.'],
  noMonth: ['This is not a month such as 2026-10.', 'Das ist kein Monat wie 2026-10.'],
  since: ['Corrections since', 'Korrekturen seit'],
  sinceHint: ['The day of the invoice.', 'Das Datum der Rechnung.'],
  noDay: ['This is not a day such as 2026-11-02.', 'Das ist kein Tag wie 2026-11-02.'],
  totals: ['Totals by article', 'Summen je Artikel'],
  article: ['Article', 'Artikel'],
  days: ['Entity-days', 'Entitätstage'],
  none: ['No subscription ran in this month.', 'In diesem Monat lief kein Abonnement.'],
  steps: [(count: string) => `${count} steps counted …`, (count) => `${count} Schritte gezählt …`],
  recordedUntil: [
    'Events recorded later become corrections. As recorded until',
    'Später erfasste Ereignisse werden zu Korrekturen. Stand der Erfassung:',
  ],
  csv: ['Save as CSV', 'Als CSV speichern'],
  corrections: ['Corrections', 'Korrekturen'],
  correctionsWhy: ['What to credit, and what to charge instead.', 'Was gutzuschreiben und was stattdessen zu verrechnen ist.'],
  noCorrections: ['Nothing in this month has changed since then.', 'In diesem Monat hat sich seither nichts geändert.'],
  credit: ['To credit', 'Gutzuschreiben'],
  charge: ['To charge', 'Zu verrechnen'],
  truncated: ['Not all steps are shown.', 'Es werden nicht alle Schritte angezeigt.'],
});
