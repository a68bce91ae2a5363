import { cloneDatabase, leaveEarly, startServiceProcess, startTestIssuer, TEST_AUDIENCE, until } from '@fibre/testing';

test('clients that disconnect in the first milliseconds of an export neither end the process nor leave a connection in use', async () => {
  const [issuer, database] = await Promise.all([startTestIssuer(), cloneDatabase()]);
  const service = await startServiceProcess('event-service', {
    DATABASE_URL: database.url,
    OAUTH_ISSUER: issuer.url,
    OAUTH_AUDIENCE: TEST_AUDIENCE,
    LOG_LEVEL: 'error',
  });
  const token = await issuer.token({ scope: 'events:read' });
  await leaveEarly(`${service.url}/api/v2/sys/events/export`, token);

  await until('no connection in use', async () =>
    (await (await fetch(`${service.url}/metrics`)).text()).includes('db_pool_used_connections{pool="primary"} 0\n'),
  );
  const answer = await fetch(`${service.url}/api/v2/sys/events/export`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  // Only the 503 responses are logged, and their lines have a request_id.
  expect(service.lines.filter((line) => !line.includes('"request_id"'))).toEqual([]);
  await service.stop();
  await Promise.all([issuer.close(), database.drop()]);
});
