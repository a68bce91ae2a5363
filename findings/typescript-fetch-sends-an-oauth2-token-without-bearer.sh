#!/usr/bin/env bash
# A client generated as typescript-fetch gets an access token in its configuration, for an operation secured by OAuth 2.
#
# One would guess: it sends `Authorization: Bearer <token>`, as it does for an operation secured by `http`, `bearer` with the same
#                  configuration, and as the generated clients of the same tool in other languages do.
# What happens:    for `oauth2`, it sends the token alone. No type, warning or error says that the word is missing.
# Versions: openapi-generator-cli 7.25.0 (Java 17, Maven 3), rolldown 1.0.0, 2026-11-30.
# Who meets it: every TypeScript client of an API whose document has an OAuth 2 flow: 401 for each request, with a valid token.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > api.json <<'CODE'
{
  "openapi": "3.0.3",
  "info": { "title": "Nodes", "version": "1" },
  "paths": {
    "/by-bearer": { "get": { "operationId": "byBearer", "security": [{ "bearer": [] }], "responses": { "204": { "description": "none" } } } },
    "/by-oauth2": { "get": { "operationId": "byOauth2", "security": [{ "oauth2": [] }], "responses": { "204": { "description": "none" } } } }
  },
  "components": {
    "securitySchemes": {
      "bearer": { "type": "http", "scheme": "bearer" },
      "oauth2": {
        "type": "oauth2",
        "flows": { "clientCredentials": { "tokenUrl": "https://login.example.net/token", "scopes": { "read": "reads" } } }
      }
    }
  }
}
CODE
cat > main.mjs <<'CODE'
import { Configuration, DefaultApi } from './client';

const fetchApi = async (url, { headers }) => {
  console.log(new URL(url).pathname, headers.Authorization);
  return new Response(null, { status: 204 });
};
const api = new DefaultApi(new Configuration({ basePath: 'https://api.example.net', accessToken: 'TOKEN', fetchApi }));
await api.byBearer();
await api.byOauth2();
CODE
echo '{ "type": "module" }' > package.json
npm install --silent rolldown@1.0.0 > /dev/null
copy=org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy
mvn -q -B $copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 -DoutputDirectory=.
java -jar openapi-generator-cli-7.25.0.jar generate -i api.json -g typescript-fetch -o client > generate.log 2>&1 || { cat generate.log; exit 1; }
node_modules/.bin/rolldown main.mjs --platform node --log-level silent -o bundle.mjs > rolldown.log
node bundle.mjs | tee printed
diff - printed <<'EXPECTED'
/by-bearer Bearer TOKEN
/by-oauth2 TOKEN
EXPECTED
