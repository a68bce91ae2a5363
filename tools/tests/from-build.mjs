// Makes the tests of a package import the build output instead of `../src`.
import module from 'node:module';

const HOOKS = '?hooks';
// As in ../typescript.mjs.
if (module.registerHooks) module.registerHooks({ resolve });
else if (!import.meta.url.endsWith(HOOKS)) module.register(import.meta.url + HOOKS);

export function resolve(specifier, context, next) {
  return next(specifier.replace(/^((?:\.\.\/)+)src\/(.+)\.[jt]s$/, '$1dist/$2.js'), context);
}
