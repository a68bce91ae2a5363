#!/usr/bin/env bash
# Four OAuth libraries get a token with the same client id `isp_a-1` and the same secret, base64 text as `openssl rand -base64` makes it,
# in a Basic header.
#
# One would guess: Base64 of `id:secret`, the same bytes from all of them.
# What happens:    Authlib and Requests-OAuthlib send the text as it is. simple-oauth2 form-encodes first, as RFC 6749, section
#                  2.3.1, says: `+` is `%2B`. oauth4webapi encodes `_` and `-` as well. An issuer that does not decode refuses the last
#                  two, one that does takes the `+` of the first two for a space.
# Versions: Authlib 1.9.10, requests-oauthlib 2.0.0, simple-oauth2 5.1.0, oauth4webapi 3.8.8, 2026-11-29.
# Who meets it: whoever registers a client once and uses it from two languages: one gets `invalid_client`. Secrets of letters and digits
# avoid it, and so does `client_secret_post`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . simple-oauth2@5.1.0 oauth4webapi@3.8.8
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check Authlib==1.9.10 requests-oauthlib==2.0.0 requests==2.34.2
cat > clients.py <<'CODE'
import os
import sys

from authlib.integrations.requests_client import OAuth2Session
from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session as RequestsSession

os.environ['OAUTHLIB_INSECURE_TRANSPORT'] = '1'
url, identity, secret = sys.argv[1:]
OAuth2Session(identity, secret).fetch_token(f'{url}/Authlib', grant_type='client_credentials')
RequestsSession(client=BackendApplicationClient(identity)).fetch_token(f'{url}/Requests-OAuthlib', client_id=identity, client_secret=secret)
CODE
cat > clients.mjs <<'CODE'
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import * as oauth from 'oauth4webapi';
import { ClientCredentials } from 'simple-oauth2';

const issuer = createServer((request, response) => {
  const [, credentials] = request.headers.authorization.split(' ');
  console.log(request.url.slice(1), Buffer.from(credentials, 'base64').toString());
  response.setHeader('content-type', 'application/json').end('{"access_token":"a","token_type":"Bearer","expires_in":60}');
}).listen(0, '127.0.0.1');
await new Promise((listening) => issuer.once('listening', listening));
const url = `http://127.0.0.1:${issuer.address().port}`;
const [id, secret] = ['isp_a-1', 'q+8/Zw=='];
await promisify(execFile)('venv/bin/python', ['clients.py', url, id, secret]);
await new ClientCredentials({ client: { id, secret }, auth: { tokenHost: url, tokenPath: '/simple-oauth2' } }).getToken({});
await oauth.clientCredentialsGrantRequest(
  { issuer: url, token_endpoint: `${url}/oauth4webapi` },
  { client_id: id },
  oauth.ClientSecretBasic(secret),
  {},
  { [oauth.allowInsecureRequests]: true },
);
issuer.close();
CODE
node clients.mjs | tee printed
diff - printed <<'EXPECTED'
Authlib isp_a-1:q+8/Zw==
Requests-OAuthlib isp_a-1:q+8/Zw==
simple-oauth2 isp_a-1:q%2B8%2FZw%3D%3D
oauth4webapi isp%5Fa%2D1:q%2B8%2FZw%3D%3D
EXPECTED
