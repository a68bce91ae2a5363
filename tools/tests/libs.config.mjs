import { join } from 'node:path';
import preset from '../../jest.preset.mjs';

// The libraries that need no services, in one process: starting Jest takes longer than most of their files.
export default {
  ...preset,
  rootDir: join(import.meta.dirname, '../../libs'),
  testMatch: ['<rootDir>/*/src/**/*.spec.ts', '<rootDir>/*/test/**/*.e2e-spec.ts'],
  testPathIgnorePatterns: ['<rootDir>/client/'],
};
