import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const patterns = {
  apps: { group: ['**/apps/*', '**/apps/*/**', 'coverage-service', 'event-service'], message: 'Only an app may import itself.' },
  testing: { group: ['@fibre/testing'], message: 'The testing library is for tests.' },
  typeorm: { regex: '^(typeorm|pg)(/|$)', message: 'SQL and TypeORM live in repositories, entities, data sources and migrations.' },
  deep: { group: ['@fibre/*/*'], message: 'Import a library by its name, not by its files.' },
};
const restrict = (...names) => ({ 'no-restricted-imports': ['error', { patterns: names.map((name) => patterns[name]) }] });
/** A library may import those before it, never those after it. */
const layers = ['problems', 'dto', 'validation', 'embedded-postgres', 'database', 'pagination', 'auth', 'server'];
const above = (name) => layers.slice(layers.indexOf(name)).map((library) => `@fibre/${library}`);

export default defineConfig(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/.data/**'] },
  js.configs.recommended,
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(['Buffer', 'URL', 'URLSearchParams', 'console', 'fetch', 'process'].map((name) => [name, 'readonly'])),
    },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/require-await': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    // The body of an answer is whatever came, and the assertion is about what it is.
    files: ['**/test/**/*.ts'],
    rules: Object.fromEntries(
      ['member-access', 'assignment', 'argument', 'return', 'call'].map((rule) => [`@typescript-eslint/no-unsafe-${rule}`, 'off']),
    ),
  },
  { files: ['{apps,libs}/*/src/**/*.ts'], ignores: ['libs/testing/**', '**/*.spec.ts'], rules: restrict('apps', 'testing', 'deep') },
  {
    files: ['apps/*/src/**/*.ts'],
    ignores: ['**/*.{repository,sql,entity,spec}.ts', '**/data-source.ts', '**/migrations/**'],
    rules: restrict('apps', 'testing', 'deep', 'typeorm'),
  },
  ...layers.map((name) => ({
    files: [`libs/${name}/src/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [patterns.apps, patterns.testing, { group: above(name), message: `@fibre/${name} stands below these libraries.` }] },
      ],
    },
  })),
  {
    files: ['{apps,libs}/**/*.ts'],
    ignores: ['**/*.env.ts', '**/*.spec.ts', '**/test/**', 'libs/testing/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Configuration is read in *.env.ts and validated there.' },
      ],
    },
  },
);
