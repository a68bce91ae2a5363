# pip install standardwebhooks==1.1.0
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

webhook = Webhook(os.environ['WEBHOOK_SECRET'])
done = set()  # in your database, in the same transaction as the changes


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['content-length']))
        try:
            events = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError:
            return self.respond(400)
        message = self.headers['webhook-id']
        if message not in done:
            for event in events:
                print(event['type'], event['subject'], flush=True)
        done.add(message)
        self.respond(204)

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


HTTPServer(('127.0.0.1', int(os.environ['PORT'])), Receiver).serve_forever()
