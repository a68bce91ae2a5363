#!/usr/bin/env bash
# A subject with a space and an umlaut goes from the CloudEvents SDK for Python to that for JavaScript, in binary mode.
#
# One would guess: the subject arrives as it was sent. It is one specification, and both are its official SDKs.
# What happens:    Python encodes header values with percent signs, as the HTTP binding says. JavaScript does not decode them, nor encode
#                  its own: the subject is `Stra%C3%9Fe%201` there. In structured mode it arrives.
# Versions: cloudevents 2.2.0 (Python), cloudevents 10.0.0 (npm), 2026-11-29.
# Who meets it: whoever passes events with names or addresses in subject or source on in binary mode, for example to Knative.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . cloudevents@10.0.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check cloudevents==2.2.0
cat > send.py <<'CODE'
import json

from cloudevents.core.bindings.http import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent

event = CloudEvent({'id': '1', 'source': '/nodes', 'type': 'changed', 'specversion': '1.0', 'subject': 'Straße 1'}, {})
messages = {'binary': to_binary_event(event), 'structured': to_structured_event(event)}
print(json.dumps({mode: {'headers': message.headers, 'body': message.body.decode()} for mode, message in messages.items()}))
CODE
cat > receive.mjs <<'CODE'
import { readFileSync } from 'node:fs';
import { CloudEvent, HTTP } from 'cloudevents';

for (const [mode, message] of Object.entries(JSON.parse(readFileSync('messages.json', 'utf8'))))
  console.log(`from Python, ${mode}:`, HTTP.toEvent(message).subject);
const own = HTTP.binary(new CloudEvent({ source: '/nodes', type: 'changed', subject: 'Straße 1' }));
console.log('header of JavaScript:', own.headers['ce-subject']);
CODE
venv/bin/python send.py > messages.json
node receive.mjs | tee printed
diff - printed <<'EXPECTED'
from Python, binary: Stra%C3%9Fe%201
from Python, structured: Straße 1
header of JavaScript: Straße 1
EXPECTED
