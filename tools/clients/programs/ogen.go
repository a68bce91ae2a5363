package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	coverage "clients/ogen-coverage"
	event "clients/ogen-event"

	"github.com/google/uuid"
)

type login string

func (token login) OAuth2(context.Context, coverage.OperationName) (coverage.OAuth2, error) {
	return coverage.OAuth2{Token: string(token)}, nil
}

type eventLogin string

func (token eventLogin) OAuth2(context.Context, event.OperationName) (event.OAuth2, error) {
	return event.OAuth2{Token: string(token)}, nil
}

func main() {
	ctx := context.Background()
	cov := must(coverage.NewClient("http://127.0.0.1:3001", login(os.Args[1])))
	events := must(event.NewClient("http://127.0.0.1:3002", eventLogin(os.Args[1])))

	search := coverage.SearchCoverageParams{Center: "48.2085, 16.3730", SearchRadius: coverage.NewOptFloat64(500)}
	nodes := must(cov.SearchCoverage(ctx, search)).(*coverage.SearchCoverageOKHeaders)
	fmt.Println(len(nodes.Response), "nodes around")

	at := time.Now().In(must(time.LoadLocation("Europe/Vienna"))).Truncate(time.Microsecond)
	notification := event.NotificationRequest{EntityID: uuid.New(), EventType: "notification", EventAt: at}
	recorded := must(events.RecordEvent(ctx, event.NewNotificationRequestRecordEventReq(notification), event.RecordEventParams{})).(*event.EventResponseHeaders)
	fmt.Println(at, recorded.Response.EventAt)

	relation := coverage.NewOptUUID(uuid.MustParse("0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f14"))
	file := strings.NewReader("token,center,customer_reference\nplanned,\"48.2,16.3\",G-1\nplanned,\"48.2,16.3\",G-2\nplanned,\"48.2,16.3\",G-3\n")
	imported := must(cov.ImportAccessNodes(ctx, &coverage.ImportAccessNodesReqTextCsv{Data: file}, coverage.ImportAccessNodesParams{RelationID: relation}))
	fmt.Println(imported.(*coverage.ImportResponseHeaders).Response.Rows, "rows")

	kinds := map[string]int{}
	for _, change := range must(cov.ListNodeChanges(ctx, coverage.ListNodeChangesParams{})).(*coverage.ListNodeChangesOKHeaders).Response {
		kinds[string(change.Type)]++
	}
	fmt.Println(kinds)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
