import { connect } from 'node:net';
import type { TestService } from '@fibre/testing';
import { ALL_SCOPES, NODES, operator, problemOf, refusal } from '../access-nodes/access-nodes.js';
import { refused, startForTokens, type Tokens } from './tokens.js';

let service: TestService;
let token: Tokens['token'];
let call: Tokens['call'];
let answerTo: Tokens['answerTo'];

beforeAll(async () => {
  ({ service, token, call, answerTo } = await startForTokens());
});
afterAll(() => service.close());

const OTHER_HEADERS: [name: string, write: (good: string) => string][] = [
  ['another scheme', () => 'Basic YTpi'],
  ['another scheme and a valid token', (good) => `Token ${good}`],
  ['a scheme that begins like ours', (good) => `BearerX ${good}`],
  ['only a valid token', (good) => good],
  ['only the scheme', () => 'Bearer'],
  ['nothing', () => ''],
  ['something after the token', (good) => `Bearer ${good} evil`],
  ['something before the scheme', (good) => `evil Bearer ${good}`],
  ['two schemes', (good) => `Basic YTpi, Bearer ${good}`],
  ['two tokens', (good) => `Bearer ${good}, Bearer ${good}`],
  ['a trailing comma', (good) => `Bearer ${good},`],
  ['a parameter', (good) => `Bearer ${good}, realm="x"`],
  ['two spaces', (good) => `Bearer  ${good}`],
  ['a tab', (good) => `Bearer\t${good}`],
  ['a no-break space', (good) => `Bearer\u00a0${good}`],
  ['a no-break space at the start', (good) => `\u00a0Bearer ${good}`],
  ['a no-break space at the end', (good) => `Bearer ${good}\u00a0`],
  ['quotes', (good) => `Bearer "${good}"`],
  ['padding inside', (good) => `Bearer =${good}`],
];
const scheme = refused('The Authorization header must contain Bearer, one space and one token.', 'Send exactly one Authorization header.');

test.each(OTHER_HEADERS)('a header with %s is rejected', async (_name, write) => {
  expect(await answerTo(write(await token()))).toEqual(scheme);
});

test('a second Authorization header is rejected, whichever of the two is valid or cached', async () => {
  const good = `Bearer ${await token()}`;
  expect((await call(good)).status).toBe(200);
  for (const lines of [
    [good, 'Bearer evil'],
    ['Bearer evil', good],
    [good, good],
    [good, ''],
  ]) {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const headers = lines.map((line, index) => `${index ? 'AUTHORIZATION' : 'Authorization'}: ${line}\r\n`).join('');
    socket.write(`GET ${NODES} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain(scheme.challenge);
  }
});

test('the scheme Bearer may be in upper or lower case', async () => {
  for (const word of ['bearer', 'BEARER', 'bEARER']) expect((await call(`${word} ${await token()}`)).status).toBe(200);
});

test('a token in the query string or in the body is never used', async () => {
  const access_token = await token({ scope: ALL_SCOPES });
  expect(problemOf(await service.anonymous().get(NODES).query({ access_token }))).toEqual(refusal(401, 'token-missing'));
  expect(problemOf(await service.anonymous().post(NODES).type('form').send({ access_token }))).toEqual(refusal(401, 'token-missing'));
  const answer = await (await operator(service)).get(NODES).query({ access_token });
  expect(problemOf(answer)).toEqual({ status: 422, code: 'invalid-request', offenders: ['access_token'] });
});
