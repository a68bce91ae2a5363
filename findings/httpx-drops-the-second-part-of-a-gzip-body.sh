#!/usr/bin/env bash
# Two days of an export were joined with `cat monday.csv.gz tuesday.csv.gz`, which is a valid gzip file (RFC 1952, section 2.2), and are
# served with `content-encoding: gzip`.
#
# One would guess: a client gets the rows of both days, as gunzip, requests, aiohttp and Node.js do, or an error.
# What happens:    httpx returns the first day and no error. The body was received in full, and its length was right.
# Versions: httpx 0.28.1, requests 2.34.2, aiohttp 3.14.5, Python 3.11.7, 2026-11-29.
# Who meets it: whoever serves files in parts, or downloads exports of others through httpx. bgzip writes such files too. Count the rows.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check httpx==0.28.1 requests==2.34.2 aiohttp==3.14.5
cat > parts.py <<'CODE'
import asyncio
import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import aiohttp
import httpx
import requests

BODY = gzip.compress(b'node_id,day\n1,monday\n') + gzip.compress(b'2,tuesday\n')

class Export(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('content-encoding', 'gzip')
        self.send_header('content-length', str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *_):
        pass

async def with_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return await response.read()

server = ThreadingHTTPServer(('127.0.0.1', 0), Export)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f'http://127.0.0.1:{server.server_port}/'
print('gzip    ', gzip.decompress(BODY).split())
print('requests', requests.get(url).content.split())
print('aiohttp ', asyncio.run(with_aiohttp(url)).split())
print('httpx   ', httpx.get(url).content.split())
CODE
venv/bin/python parts.py | tee printed
diff - printed <<'EXPECTED'
gzip     [b'node_id,day', b'1,monday', b'2,tuesday']
requests [b'node_id,day', b'1,monday', b'2,tuesday']
aiohttp  [b'node_id,day', b'1,monday', b'2,tuesday']
httpx    [b'node_id,day', b'1,monday']
EXPECTED
