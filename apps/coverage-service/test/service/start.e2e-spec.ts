import { cloneDatabase, startServiceProcess, startTestIssuer, TEST_AUDIENCE } from '@fibre/testing';

test('a service whose port is in use says so in one line', async () => {
  const [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  const taken = Number(new URL(issuer.url).port);
  const settings = { DATABASE_URL: database.url, OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: TEST_AUDIENCE, LOG_LEVEL: 'fatal' };
  const started = startServiceProcess('coverage-service', settings, taken);
  await expect(started).rejects.toThrow(
    `coverage-service ended with exit code 1\ncoverage-service cannot start. listen EADDRINUSE: address already in use 127.0.0.1:${taken}`,
  );
  await Promise.all([issuer.close(), database.drop()]);
});
