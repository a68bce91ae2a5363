#!/usr/bin/env bash
# A report for Austria prints counts and amounts with `Intl.NumberFormat('de-AT')`.
#
# One would guess: dots in both, as in Germany, or the same separator in both at least, and the same from Python's Babel for `de_AT`.
# What happens:    a number has no-break spaces, 1 234 567,5; an amount in euros has dots, 1.234.567,50. CLDR has two separators for
#                  Austria. Babel 2.19.0 prints dots in both.
# Versions: Node.js 26.10.0, Babel 2.19.0, 2026-11-29.
# Who meets it: whoever compares a report with a spreadsheet, or reads such numbers back: a no-break space is no thousands separator for
# most parsers, and a service and a portal in two languages print differently.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . node@26.10.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check Babel==2.19.0
cat > print.mjs <<'CODE'
for (const locale of ['de', 'de-AT']) {
  const number = new Intl.NumberFormat(locale).format(1_234_567.5);
  const euros = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(1_234_567.5);
  console.log('node ', locale, [number, euros].map((text) => text.replaceAll('\u00a0', '_')).join(' '));
}
CODE
cat > print.py <<'CODE'
from babel.numbers import format_currency, format_decimal

for locale in ('de', 'de_AT'):
    print('babel', locale, format_decimal(1_234_567.5, locale=locale).replace('\xa0', '_'),
          format_currency(1_234_567.5, 'EUR', locale=locale).replace('\xa0', '_'))
CODE
{ node_modules/.bin/node print.mjs; venv/bin/python print.py; } | tee printed
diff - printed <<'EXPECTED'
node  de 1.234.567,5 1.234.567,50_€
node  de-AT 1_234_567,5 €_1.234.567,50
babel de 1.234.567,5 1.234.567,50_€
babel de_AT 1.234.567,5 €_1.234.567,50
EXPECTED
