// Makes the tests of a package import the build output instead of `../src`.
import { register } from 'node:module';

if (!import.meta.url.endsWith('?hooks')) register(`${import.meta.url}?hooks`);

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return /^(\.\.\/)+src\//.test(specifier) ? { ...found, url: found.url.replace(/\/src\/(.+)\.ts$/, '/dist/$1.js') } : found;
}
