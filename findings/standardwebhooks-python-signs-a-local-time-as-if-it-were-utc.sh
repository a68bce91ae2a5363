#!/usr/bin/env bash
# A test of a receiver signs a batch: `Webhook(secret).sign(id, time, body)`, with an aware time in Vienna's zone, and sends the header
# `webhook-timestamp: int(time.timestamp())`.
#
# One would guess: the instant is signed, whatever zone the time is in. An aware time has only one.
# What happens:    the zone is replaced by UTC, not converted to it: 12:00+01:00 is signed as 12:00Z. The receiver answers "No matching
#                  signature found", which looks like a wrong secret. The JavaScript library signs the instant.
# Versions: standardwebhooks 1.1.0 (Python), standardwebhooks 1.1.1 (npm), 2026-11-29.
# Who meets it: whoever tests a receiver of webhooks in Python, or replays stored deliveries, anywhere but in UTC.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . standardwebhooks@1.1.1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0 tzdata==2026.6
cat > sign.py <<'CODE'
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from standardwebhooks import Webhook

webhook = Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
local = datetime(2026, 11, 29, 12, tzinfo=ZoneInfo('Europe/Vienna'))
for time in (local, local.astimezone(timezone.utc)):
    print('python    ', time, int(time.timestamp()), webhook.sign('msg_1', time, '[]'))
CODE
cat > sign.mjs <<'CODE'
import { Webhook } from 'standardwebhooks';

const time = new Date('2026-11-29T12:00:00+01:00');
const signature = new Webhook('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw').sign('msg_1', time, '[]');
console.log('javascript', '2026-11-29 12:00:00+01:00', time.getTime() / 1_000, signature);
CODE
{ venv/bin/python sign.py; node sign.mjs; } | tee printed
diff - printed <<'EXPECTED'
python     2026-11-29 12:00:00+01:00 1795950000 v1,CgwYdv/5YIVBNTz3eS4CEwuvPZe/3LB4g2nYU10Ewvs=
python     2026-11-29 11:00:00+00:00 1795950000 v1,G0tY5EKTF+XqZzjYfb0Cj1cCLX3Bva/xLFh62JSBvu0=
javascript 2026-11-29 12:00:00+01:00 1795950000 v1,G0tY5EKTF+XqZzjYfb0Cj1cCLX3Bva/xLFh62JSBvu0=
EXPECTED
