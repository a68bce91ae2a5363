#!/usr/bin/env bash
# A job for every night at 03:00 in Vienna, one for 02:30, and the nights on which the clock changes.
#
# One would guess: 03:00 comes once in every night, so that job runs once. What becomes of 02:30 depends on the library.
# What happens:    `cron` for Node.js, which @nestjs/schedule uses, runs the job of 03:00 twice in October: at the second 02:00, and at 03:00.
#                  The job of 02:30 runs once there, but twice in Python's croniter. In March, when there is no 02:30, it runs at 03:00, or
#                  at 03:30 (cron-parser).
# Versions: cron 4.4.0, cron-parser 5.10.6, croner 11.0.1, croniter 7.0.0, 2026-11-29.
# Who meets it: whoever closes a day or sends bills by a nightly job with a zone. Make the job repeatable, or plan it in UTC.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . cron@4.4.0 cron-parser@5.10.6 croner@11.0.1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check croniter==7.0.0 tzdata==2026.6
cat > jobs.mjs <<'CODE'
import { CronTime } from 'cron';
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';

const ZONE = 'Europe/Vienna';
const next = {
  cron: (job, after) => new CronTime(job, ZONE).getNextDateFrom(after, ZONE).toJSDate(),
  'cron-parser': (job, after) => CronExpressionParser.parse(job, { tz: ZONE, currentDate: after }).next().toDate(),
  croner: (job, after) => new Cron(job, { timezone: ZONE, paused: true }).nextRun(after),
};
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, day: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'shortOffset' });
for (const day of ['2026-03-29', '2026-10-25'])
  for (const job of ['0 3 * * *', '30 2 * * *'])
    for (const [name, after] of Object.entries(next)) {
      const runs = [];
      for (let at = after(job, new Date(`${day}T00:00+01:00`)); at < new Date(`${day}T12:00Z`); at = after(job, at)) runs.push(clock.format(at));
      console.log(day, job, name, runs.join(' and '));
    }
CODE
cat > jobs.py <<'CODE'
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from croniter import croniter

for day in ('2026-03-29', '2026-10-25'):
    begin = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo('Europe/Vienna'))
    for job in ('0 3 * * *', '30 2 * * *'):
        times, runs = croniter(job, begin), []
        while (at := times.get_next(datetime)) < begin + timedelta(hours=13):
            runs.append(f'{at:%d, %H:%M} GMT+{at.utcoffset() // timedelta(hours=1)}')
        print(day, job, 'croniter', ' and '.join(runs))
CODE
{ node jobs.mjs; venv/bin/python jobs.py; } | tee printed
diff - printed <<'EXPECTED'
2026-03-29 0 3 * * * cron 29, 03:00 GMT+2
2026-03-29 0 3 * * * cron-parser 29, 03:00 GMT+2
2026-03-29 0 3 * * * croner 29, 03:00 GMT+2
2026-03-29 30 2 * * * cron 29, 03:00 GMT+2
2026-03-29 30 2 * * * cron-parser 29, 03:30 GMT+2
2026-03-29 30 2 * * * croner 29, 03:00 GMT+2
2026-10-25 0 3 * * * cron 25, 02:00 GMT+1 and 25, 03:00 GMT+1
2026-10-25 0 3 * * * cron-parser 25, 03:00 GMT+1
2026-10-25 0 3 * * * croner 25, 03:00 GMT+1
2026-10-25 30 2 * * * cron 25, 02:30 GMT+2
2026-10-25 30 2 * * * cron-parser 25, 02:30 GMT+2
2026-10-25 30 2 * * * croner 25, 02:30 GMT+2
2026-03-29 0 3 * * * croniter 29, 03:00 GMT+2
2026-03-29 30 2 * * * croniter 29, 03:00 GMT+2
2026-10-25 0 3 * * * croniter 25, 03:00 GMT+1
2026-10-25 30 2 * * * croniter 25, 02:30 GMT+2 and 25, 02:30 GMT+1
EXPECTED
