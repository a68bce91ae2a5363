import preset from '../../jest.preset.mjs';

export default { ...preset, globalSetup: './test/global-setup.mjs', globalTeardown: './test/global-teardown.mjs' };
