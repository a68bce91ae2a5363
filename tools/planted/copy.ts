import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { WORKSPACE } from '../workspace.js';
import type { Fault } from './faults.js';

const NOT_COPIED = new Set(['node_modules', '.git', '.nx', '.data']);

/** A copy of the sources and the build, so that no fault is ever in the working tree. Whoever made it closes it. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'fibre-planted-'));
  private readonly options: ts.CompilerOptions;

  constructor() {
    cpSync(WORKSPACE, this.folder, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    for (const name of ['apps', 'libs']) symlinkSync(join(WORKSPACE, name, 'node_modules'), join(this.folder, name, 'node_modules'));
    this.linkPackages('node_modules');
    const file = join(this.folder, 'tsconfig.base.json');
    this.options = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, this.folder).options;
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
   * Plants a fault in the source, which the tests of the libraries run, and in the build, which the others and the services run.
   *
   * @returns what removes it
   * @throws Error if the code has changed, or the build is not that of the sources
   */
  plant({ file, edits }: Fault): () => void {
    const [source, built] = [file, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js')].map((path) => join(this.folder, path)) as [
      string,
      string,
    ];
    const [before, builtBefore] = [source, built].map((path) => readFileSync(path, 'utf8')) as [string, string];
    if (this.compiled(before, source) !== builtBefore) throw new Error(`the build of ${file} is not that of its source`);
    const after = edited(before, file, edits);
    writeFileSync(source, after);
    writeFileSync(built, this.compiled(after, source));
    return () => {
      writeFileSync(source, before);
      writeFileSync(built, builtBefore);
    };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private compiled(code: string, fileName: string): string {
    return ts.transpileModule(code, { compilerOptions: this.options, fileName }).outputText;
  }
}

function edited(code: string, file: string, edits: Fault['edits']): string {
  for (const [from, to] of edits) {
    if (code.split(from).length !== 2) throw new Error(`${file} does not contain this once: ${from}`);
    code = code.replace(from, () => to);
  }
  return code;
}
