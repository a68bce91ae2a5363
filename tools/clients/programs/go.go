package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	coverage "clients/go-coverage"
	event "clients/go-event"

	"github.com/google/uuid"
	"golang.org/x/oauth2"
)

func main() {
	token := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: os.Args[1]})
	covConfig := coverage.NewConfiguration()
	covConfig.Servers[0].URL = "http://127.0.0.1:3001"
	cov := coverage.NewAPIClient(covConfig)
	covCtx := context.WithValue(context.Background(), coverage.ContextOAuth2, token)
	eventConfig := event.NewConfiguration()
	eventConfig.Servers[0].URL = "http://127.0.0.1:3002"
	events := event.NewAPIClient(eventConfig)
	eventCtx := context.WithValue(context.Background(), event.ContextOAuth2, token)

	nodes := must(cov.SearchAPI.SearchCoverage(covCtx).Center("48.2085, 16.3730").SearchRadius(500).Execute())
	fmt.Println(len(nodes), "nodes around")

	vienna, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		log.Fatal(err)
	}
	at := time.Now().In(vienna).Truncate(time.Microsecond)
	notification := event.NotificationRequest{EntityId: uuid.NewString(), EventType: "notification", EventAt: at}
	body := event.NotificationRequestAsRecordEventRequest(&notification)
	recorded := must(events.EventsAPI.RecordEvent(eventCtx).RecordEventRequest(body).Execute())
	fmt.Println(at, recorded.EventAt)

	file := "token,center,customer_reference\nplanned,\"48.2,16.3\",N-1\nplanned,\"48.2,16.3\",N-2\nplanned,\"48.2,16.3\",N-3\n"
	request := cov.AccessNodesAPI.ImportAccessNodes(covCtx).RelationId("0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f16")
	imported := must(request.Body(file).Execute())
	fmt.Println(imported.Rows, "rows")

	kinds := map[string]int{}
	for _, item := range must(cov.ChangesAPI.ListNodeChanges(covCtx).PageSize(1000).Execute()) {
		switch change := item.GetActualInstance().(type) {
		case *coverage.UpsertedNodeResponse:
			kinds[change.Change]++
		case *coverage.DeletedNodeResponse:
			kinds[change.Change]++
		}
	}
	fmt.Println(kinds)
}

func must[T any](value T, response *http.Response, err error) T {
	if err != nil {
		if response != nil {
			answer, _ := io.ReadAll(response.Body)
			log.Print(string(answer))
		}
		log.Fatal(err)
	}
	return value
}
