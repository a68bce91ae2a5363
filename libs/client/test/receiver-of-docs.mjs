// receiver.mjs
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook } from '@fibre/client';

const done = new Set(); // in your database, in the same transaction as the changes

createServer(async (request, response) => {
  const body = await text(request);
  try {
    const events = verifyWebhook(process.env.WEBHOOK_SECRET, request.headers, body);
    const id = request.headers['webhook-id'];
    if (!done.has(id)) for (const { type, subject, data } of events) console.log(type, subject, JSON.stringify(data));
    done.add(id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(Number(process.env.PORT));
