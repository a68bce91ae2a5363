import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE } from './workspace.js';

interface Schema {
  properties: Record<string, { type?: string; enum?: string[] }>;
  required: string[];
}
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: { type: string; enum?: string[] };
}
interface Document {
  paths: Record<string, Record<string, { deprecated?: boolean; 'x-sunset'?: string; parameters: Parameter[] }>>;
  components: { schemas: Record<string, Schema> };
}

const COMPARE = join(WORKSPACE, 'tools/release/compare-apis');
const DOCUMENT = join(WORKSPACE, 'apps/event-service/openapi.json');
const [EVENTS, LATEST] = ['/api/v2/sys/events', '/api/v2/sys/events/latest'];
/** Building oasdiff takes minutes of processor time, so a contributor who has never run compare-apis is not made to. */
const hasOasdiff =
  process.env.CI === 'true' ||
  spawnSync('bash', ['-c', 'source k8s/tools.sh && test -x "$CACHE/oasdiff@$OASDIFF/oasdiff"'], { cwd: WORKSPACE }).status === 0;

let folder: string;

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'compare-apis-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const schema = ({ components }: Document, name: string): Schema => components.schemas[name]!;
const parameters = ({ paths }: Document): Parameter[] => paths[EVENTS]!['get']!.parameters;
const write = (name: string, change: (document: Document) => unknown): string => {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as Document;
  change(document);
  writeFileSync(join(folder, name), JSON.stringify(document));
  return join(folder, name);
};
const newParameter = (required: boolean): Parameter => ({ name: 'new', in: 'query', required, schema: { type: 'string' } });
const deprecate = (sunset: string) => (document: Document) =>
  Object.assign(document.paths[LATEST]!['get']!, { deprecated: true, 'x-sunset': sunset });
const removeLatest = ({ paths }: Document) => delete paths[LATEST];
const nothing = (): void => undefined;

/** What changes, how, whether docs/compatibility.md allows it, and what was before. */
const CHANGES: [string, (document: Document) => unknown, 'allowed' | RegExp, ((document: Document) => unknown)?][] = [
  ['nothing', nothing, 'allowed'],
  ['a new field', (document) => (schema(document, 'EventResponse').properties['new'] = { type: 'string' }), 'allowed'],
  ['a new optional parameter', (document) => parameters(document).push(newParameter(false)), 'allowed'],
  ['a new error code', (document) => schema(document, 'ProblemResponse').properties['code']!.enum!.push('new'), 'allowed'],
  ['an operation after its sunset', removeLatest, 'allowed', deprecate('2024-01-01')],
  [
    'an optional field is gone',
    (document) => delete schema(document, 'EventResponse').properties['comment'],
    /removed the optional property/,
  ],
  [
    'an optional member is gone',
    (document) => delete schema(document, 'CreateWebhookRequest').properties['description'],
    /removed the request property/,
  ],
  ['a parameter is gone', (document) => parameters(document).pop(), /deleted the .* request parameter/],
  [
    'a narrowed enumeration',
    (document) =>
      parameters(document)
        .find(({ name }) => name === '_order')!
        .schema.enum!.pop(),
    /removed the enum value/,
  ],
  ['a new required parameter', (document) => parameters(document).push(newParameter(true)), /added the new required/],
  ['a field that may be absent', (document) => schema(document, 'EventResponse').required.pop(), /became optional/],
  ['an operation is gone', removeLatest, /removed without deprecation/],
  ['an operation before its sunset', removeLatest, /removed before the sunset date/, deprecate('2999-01-01')],
];

(hasOasdiff ? test : test.skip).each(CHANGES)('%s', (_name, change, expected, before = nothing) => {
  const { status, stdout, stderr } = spawnSync(COMPARE, [write('old.json', before), write('new.json', change)], { encoding: 'utf8' });
  expect([status, stdout + stderr]).toEqual([
    expected === 'allowed' ? 0 : 1,
    expect.stringMatching(expected === 'allowed' ? '' : expected),
  ]);
});
