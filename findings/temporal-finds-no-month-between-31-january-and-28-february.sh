#!/usr/bin/env bash
# Whole months from 31 January to 28 February 2026, for a bill by months. Four libraries, and Temporal, which is to replace them.
#
# One would guess: the new standard counts as they do.
# What happens:    Luxon, date-fns, moment and Day.js say 1 month: 31 January plus a month is 28 February. Temporal says 28 days
#                  and no month, although its own addition gives 28 February too. From 28 February back to 31 January date-fns says 0 as well.
# Versions: luxon 3.7.2, date-fns 4.4.0, moment 2.30.1, dayjs 1.11.23, temporal-polyfill 1.0.8, 2026-11-29.
# Who meets it: whoever moves billing code to Temporal: lines that began on the 29th, 30th or 31st are billed a month less.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . luxon@3.7.2 date-fns@4.4.0 moment@2.30.1 dayjs@1.11.23 temporal-polyfill@1.0.8
cat > months.mjs <<'CODE'
import { differenceInMonths } from 'date-fns';
import dayjs from 'dayjs';
import { DateTime } from 'luxon';
import moment from 'moment';
import { Temporal } from 'temporal-polyfill';

const [begin, end] = ['2026-01-31', '2026-02-28'];
console.log('luxon   ', Math.trunc(DateTime.fromISO(end).diff(DateTime.fromISO(begin), 'months').months));
const [january, february] = [new Date(2026, 0, 31), new Date(2026, 1, 28)];
console.log('date-fns', differenceInMonths(february, january), 'and back', Math.abs(differenceInMonths(january, february)));
console.log('moment  ', moment(end).diff(begin, 'month'));
console.log('dayjs   ', dayjs(end).diff(begin, 'month'));
console.log('temporal', Temporal.PlainDate.from(begin).until(end, { largestUnit: 'month' }).months);
console.log('temporal, begin plus a month', Temporal.PlainDate.from(begin).add({ months: 1 }).toString());
CODE
node months.mjs | tee printed
diff - printed <<'EXPECTED'
luxon    1
date-fns 1 and back 0
moment   1
dayjs    1
temporal 0
temporal, begin plus a month 2026-02-28
EXPECTED
