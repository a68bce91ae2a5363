import { WORKSPACE } from '../workspace.js';

/** A receiver of docs/receivers. */
export interface Kind {
  readonly name: string;
  readonly file: string;
  /** Installs the packages that the file's first line names. */
  readonly install: (packages: string) => string;
  readonly command: readonly [string, ...string[]];
  readonly version: string;
  readonly change?: (source: string) => string;
}

const npm = (install: string): string => `${install} --no-audit --no-fund --loglevel error`;
export const KINDS: readonly Kind[] = [
  { name: 'Express', file: 'express.mjs', install: npm, command: ['node', 'express.mjs'], version: 'node --version' },
  {
    name: 'Express, default limit',
    file: 'express.mjs',
    install: npm,
    command: ['node', 'express.mjs'],
    version: 'node --version',
    change: (source) => source.replace(`, limit: '1mb'`, ''),
  },
  { name: 'Fastify', file: 'fastify.mjs', install: npm, command: ['node', 'fastify.mjs'], version: 'node --version' },
  {
    name: 'Nest',
    file: 'nest.ts',
    // As a project of Nest would be compiled.
    install: (install) =>
      `${install} @types/node@20.19.43 && ${WORKSPACE}/node_modules/.bin/tsc --strict --target es2023 --module nodenext --types node --skipLibCheck --experimentalDecorators --emitDecoratorMetadata nest.ts`,
    command: ['node', 'nest.js'],
    version: 'node --version',
  },
  {
    name: 'Python',
    file: 'receiver.py',
    install: (install) => `python3 -m venv python && python/bin/${install}`,
    command: ['python/bin/python', 'receiver.py'],
    version: 'python3 --version',
  },
  {
    name: 'Go',
    file: 'receiver.go',
    install: (install) => `go mod init receiver && ${install} && go build -o receiver receiver.go`,
    command: ['./receiver'],
    version: 'go version',
  },
  {
    name: 'Java',
    file: 'Receiver.java',
    install: (artifacts) =>
      `for it in ${artifacts}; do mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -Dartifact=$it -DoutputDirectory=.; done`,
    command: ['java', '-cp', '*', 'Receiver.java'],
    version: 'java --version',
  },
];
