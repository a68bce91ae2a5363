import preset from '../../jest.preset.mjs';

export default { ...preset, testMatch: ['<rootDir>/{src,map-background}/**/*.spec.ts'] };
