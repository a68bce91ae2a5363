import preset from '../../jest.preset.mjs';

/** Servers are started, killed and recovered here. */
export default { ...preset, testTimeout: 60_000 };
