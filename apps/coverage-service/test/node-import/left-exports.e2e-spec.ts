import { cloneDatabase, leaveEarly, startServiceProcess, startTestIssuer, TEST_AUDIENCE, until } from '@fibre/testing';

test('clients that disconnect in the first milliseconds of an export neither end the process nor leave a connection in use', async () => {
  const [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  const service = await startServiceProcess('coverage-service', {
    DATABASE_URL: database.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    LOG_LEVEL: 'error',
  });
  const token = await issuer.token({ scope: 'coverage:read' });
  await leaveEarly(`${service.url}/v2/cov/nodes/export`, token);

  await until('no connection in use', async () =>
    (await (await fetch(`${service.url}/metrics`)).text()).includes('db_pool_used_connections{pool="primary"} 0\n'),
  );
  const answer = await fetch(`${service.url}/v2/cov/nodes/export`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  // Each 503 leaves a log line with a request id; there are no other lines.
  expect(service.lines.filter((line) => !line.includes('"request_id"'))).toEqual([]);
  await service.stop();
  await Promise.all([issuer.close(), database.drop()]);
});
