const VOLUMES = ['few', 'all', 'long'] as const;
type Volume = (typeof VOLUMES)[number];

const { TEST_VOLUME = 'few' } = process.env;

/**
 * How much of something a test does: just enough in `npm test`, more in `npm run test:all`, which CI runs, and in `npm run test:long`,
 * which runs every night. They set the environment variable TEST_VOLUME.
 */
export function volume<Amount>(few: Amount, all: Amount, long: Amount = all): Amount {
  if (!VOLUMES.includes(TEST_VOLUME as Volume)) throw new Error(`TEST_VOLUME is ${TEST_VOLUME}, not one of ${VOLUMES.join(', ')}`);
  return { few, all, long }[TEST_VOLUME as Volume];
}
