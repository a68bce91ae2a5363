#!/usr/bin/env bash
# A bill is cut from one local midnight to the next: `dayjs.tz('2026-10-01', 'Europe/Vienna').add(1, 'month')`.
#
# One would guess: 1 November, 00:00 in Vienna, which is 23:00 UTC. Luxon and moment-timezone give that.
# What happens:    Day.js keeps the offset of 1 October. The result prints as 00:00, but with +02:00, an hour before November begins. In
#                  spring it is an hour late, and the difference of 1 March and 1 April is 0 whole months.
# Versions: dayjs 1.11.23, luxon 3.7.2, moment-timezone 0.6.6, 2026-11-29.
# Who meets it: whoever computes windows of bills or `from` and `to` of a report with Day.js. An hour of events goes into the wrong bill.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . dayjs@1.11.23 luxon@3.7.2 moment-timezone@0.6.6
cat > month.mjs <<'CODE'
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { DateTime } from 'luxon';
import moment from 'moment-timezone';

dayjs.extend(utc);
dayjs.extend(timezone);
const ZONE = 'Europe/Vienna';
for (const begin of ['2026-03-01', '2026-10-01']) {
  console.log(`a month after ${begin}`);
  console.log('  luxon ', DateTime.fromISO(begin, { zone: ZONE }).plus({ months: 1 }).toISO({ suppressMilliseconds: true }));
  console.log('  moment', moment.tz(begin, ZONE).add(1, 'month').format());
  console.log('  dayjs ', dayjs.tz(begin, ZONE).add(1, 'month').format());
}
console.log('whole months from 1 March to 1 April');
console.log('  moment', moment.tz('2026-04-01', ZONE).diff(moment.tz('2026-03-01', ZONE), 'month'));
console.log('  dayjs ', dayjs.tz('2026-04-01', ZONE).diff(dayjs.tz('2026-03-01', ZONE), 'month'));
CODE
node month.mjs | tee printed
diff - printed <<'EXPECTED'
a month after 2026-03-01
  luxon  2026-04-01T00:00:00+02:00
  moment 2026-04-01T00:00:00+02:00
  dayjs  2026-04-01T00:00:00+01:00
a month after 2026-10-01
  luxon  2026-11-01T00:00:00+01:00
  moment 2026-11-01T00:00:00+01:00
  dayjs  2026-11-01T00:00:00+02:00
whole months from 1 March to 1 April
  moment 1
  dayjs  0
EXPECTED
