// npm install fastify@5.12.8 standardwebhooks@1.1.1
import fastify from 'fastify';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const done = new Set(); // in your database, in the same transaction as the changes

const app = fastify(); // accepts bodies of 1 MiB
app.addContentTypeParser('application/cloudevents-batch+json', { parseAs: 'string' }, async (_request, body) => body);

app.post('/', async (request, reply) => {
  let events;
  try {
    events = webhook.verify(request.body, request.headers);
  } catch {
    return reply.code(400).send();
  }
  const id = request.headers['webhook-id'];
  if (!done.has(id)) for (const { type, subject } of events) console.log(type, subject);
  done.add(id);
  return reply.code(204).send();
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
