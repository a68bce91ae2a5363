// npm install express@5.3.0 standardwebhooks@1.1.1
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const done = new Set(); // in your database, in the same transaction as the changes

const body = express.text({ type: 'application/cloudevents-batch+json', limit: '1mb' });

function receive(request, response) {
  let events;
  try {
    events = webhook.verify(request.body, request.headers);
  } catch {
    return response.sendStatus(400);
  }
  const id = request.headers['webhook-id'];
  if (!done.has(id)) for (const { type, subject } of events) console.log(type, subject);
  done.add(id);
  response.sendStatus(204);
}

express().post('/', body, receive).listen(Number(process.env.PORT), '127.0.0.1');
