// com.standardwebhooks:standardwebhooks:1.1.0 com.google.code.gson:gson:2.13.2
import com.google.gson.Gson;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.util.HashSet;

class Receiver {
  record Event(String type, String subject) {}

  public static void main(String[] args) throws Exception {
    var webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));
    var done = new HashSet<String>(); // in your database, in the same transaction as the changes
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT"))), 0);
    server.createContext("/", exchange -> {
      var body = new String(exchange.getRequestBody().readNBytes(1 << 20), "UTF-8");
      int status = 204;
      try {
        webhook.verify(body, HttpHeaders.of(exchange.getRequestHeaders(), (name, value) -> true));
        if (done.add(exchange.getRequestHeaders().getFirst("webhook-id")))
          for (var event : new Gson().fromJson(body, Event[].class)) System.out.println(event.type() + " " + event.subject());
      } catch (WebhookVerificationException e) {
        status = 400;
      }
      exchange.sendResponseHeaders(status, -1);
    });
    server.start();
  }
}
