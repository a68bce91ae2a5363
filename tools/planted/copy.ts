import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { WORKSPACE } from '../workspace.js';
import type { Fault } from './fault.js';

const NOT_COPIED = new Set(['node_modules', '.git', '.nx', '.data']);

/** A copy of the sources and the build, so that no fault is ever in the working tree. Whoever made it closes it. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'fibre-planted-'));
  private readonly options: ts.CompilerOptions;

  constructor() {
    cpSync(WORKSPACE, this.folder, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    for (const name of ['apps', 'libs']) symlinkSync(join(WORKSPACE, name, 'node_modules'), join(this.folder, name, 'node_modules'));
    this.linkPackages('node_modules');
    const { config } = ts.readConfigFile(join(this.folder, 'tsconfig.base.json'), (path) => readFileSync(path, 'utf8')) as {
      config: unknown;
    };
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, this.folder);
    // A single file does not say that its package has ES modules.
    this.options = { ...options, module: ts.ModuleKind.ESNext };
  }

  /** Links each package; those of the workspace, whose links are relative, are then those of the copy. */
  private linkPackages(path: string): void {
    mkdirSync(join(this.folder, path));
    for (const entry of readdirSync(join(WORKSPACE, path), { withFileTypes: true })) {
      const [from, to] = [WORKSPACE, this.folder].map((folder) => join(folder, path, entry.name)) as [string, string];
      if (entry.name === '@fibre') this.linkPackages(join(path, entry.name));
      else symlinkSync(entry.isSymbolicLink() ? readlinkSync(from) : from, to);
    }
  }

  /**
   * Plants a fault in the source, which the tests of the libraries run, and in the build, which the other tests and the services run.
   *
   * @returns what removes it
   */
  plant(fault: Fault): () => void {
    const paths = [fault.file, fault.file.replace('/src/', '/dist/').replace(/\.ts$/, '.js')];
    const [source, built] = paths.map((path) => join(this.folder, path)) as [string, string];
    const before = [source, built].map((file) => ({ file, text: readFileSync(file, 'utf8') }));
    const code = edited(fault);
    writeFileSync(source, code);
    writeFileSync(built, ts.transpileModule(code, { compilerOptions: this.options, fileName: source }).outputText);
    return () => {
      for (const { file, text } of before) writeFileSync(file, text);
    };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The source with the fault. @throws Error if the code has changed */
export function edited({ file, edits }: Fault): string {
  let code = readFileSync(join(WORKSPACE, file), 'utf8');
  for (const [from, to] of edits) {
    const places = [...code.matchAll(anyLayout(from))];
    if (places.length !== 1) throw new Error(`${file} contains this ${places.length} times, but must contain it once: ${from}`);
    code = code.replace(places[0]![0], () => to);
  }
  return code;
}

/** Matches the code however the formatter breaks its lines: with any white space, and with a comma before a bracket that closes. */
function anyLayout(code: string): RegExp {
  const escaped = [...code.replaceAll(/\s/g, '')].map((one) => one.replace(/[$()*+.?[\\\]^{|}]/, '\\$&'));
  return new RegExp(escaped.join('\\s*').replaceAll(/(?=\\[)\]}])/g, '(?:,\\s*)?'), 'g');
}
