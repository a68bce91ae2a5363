// With --import, Node.js runs the TypeScript of this workspace: it compiles each file when it loads it (docs/adr/0027-typescript-as-loaded.md).
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const HOOKS = '?hooks';
const isCompiled = /\.(tsx?)(?:\?|$)/;
const { compilerOptions } = JSON.parse(readFileSync(new URL('../tsconfig.base.json', import.meta.url), 'utf8'));
const compiled = (filename, tsx) => ({
  filename,
  isModule: true,
  sourceMaps: 'inline',
  swcrc: false,
  jsc: {
    target: compilerOptions.target,
    parser: { syntax: 'typescript', tsx, decorators: true },
    transform: {
      legacyDecorator: compilerOptions.experimentalDecorators,
      decoratorMetadata: compilerOptions.emitDecoratorMetadata,
      useDefineForClassFields: compilerOptions.useDefineForClassFields,
      react: { runtime: 'automatic', importSource: 'preact' },
    },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
});

// Before version 22.15, Node.js runs hooks in a thread of their own, which imports this file again.
if (module.registerHooks) module.registerHooks({ resolve, load });
else if (!import.meta.url.endsWith(HOOKS)) module.register(import.meta.url + HOOKS);

/** TypeScript imports a file under the name that it has when it is built. */
export function resolve(specifier, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && isCompiled.test(context.parentURL)) {
    for (const extension of ['.ts', '.tsx']) {
      const url = new URL(specifier.replace(/\.js$/, extension), context.parentURL);
      if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
    }
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  const extension = isCompiled.exec(url)?.[1];
  if (extension === undefined) return next(url, context);
  const file = fileURLToPath(url);
  const { code } = transformSync(readFileSync(file, 'utf8'), compiled(file, extension === 'tsx'));
  return { format: 'module', source: code, shortCircuit: true };
}
