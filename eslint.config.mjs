import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** A literal spread into its own literal: readers ask what is being merged. */
const SPREAD_LITERALS = ['ObjectExpression > SpreadElement > ObjectExpression', 'ArrayExpression > SpreadElement > ArrayExpression'].map(
  (selector) => ({ selector, message: 'Write the members into the literal around it.' }),
);

export default defineConfig(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/.data/**', '**/generated/**'] },
  js.configs.recommended,
  { rules: { 'no-restricted-syntax': ['error', ...SPREAD_LITERALS] } },
  {
    files: ['**/*.{cjs,mjs}'],
    languageOptions: {
      globals: Object.fromEntries(['Buffer', 'URL', 'URLSearchParams', 'console', 'fetch', 'process'].map((name) => [name, 'readonly'])),
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
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
    // A response body can be anything; assertions check what it is.
    files: ['**/test/**/*.ts'],
    rules: Object.fromEntries(
      ['no-explicit-any', ...['member-access', 'assignment', 'argument', 'return', 'call'].map((rule) => `no-unsafe-${rule}`)].map(
        (rule) => [`@typescript-eslint/${rule}`, 'off'],
      ),
    ),
  },
  {
    files: ['apps/*/src/**/*.ts'],
    ignores: ['**/*.{repository,sql,entity,spec}.ts', '**/data-source.ts', '**/migrations/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(typeorm|pg)(/|$)', message: 'SQL and TypeORM belong in repositories, entities, data sources and migrations.' },
          ],
        },
      ],
    },
  },
  {
    files: ['{apps,libs}/**/*.ts'],
    ignores: ['**/*.env.ts', '**/*.spec.ts', '**/test/**', '**/*.config.ts', 'libs/testing/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Configuration is read in *.env.ts and validated there.' },
      ],
    },
  },
  {
    files: ['**/*.sql.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...SPREAD_LITERALS,
        ...['TemplateElement[value.raw=/\\$\\d/]', 'Literal[value=/\\$\\d/]'].map((selector) => ({
          selector,
          message: 'Write ${value} in a sql`...` template: it binds the value and numbers it.',
        })),
      ],
    },
  },
);
