// go get github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

var done = map[string]bool{} // in your database, in the same transaction as the changes

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err == nil {
			err = webhook.Verify(body, r.Header)
		}
		var events []struct{ Type, Subject string }
		if err == nil {
			err = json.Unmarshal(body, &events)
		}
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// One batch arrives at a time, so this needs no lock.
		id := r.Header.Get("webhook-id")
		if !done[id] {
			for _, event := range events {
				fmt.Println(event.Type, event.Subject)
			}
		}
		done[id] = true
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
