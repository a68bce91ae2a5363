import sys
from datetime import datetime
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo
import fibre_coverage
import fibre_event

token = sys.argv[1]
coverage = fibre_coverage.ApiClient(fibre_coverage.Configuration(host='http://127.0.0.1:3001', access_token=token))
events = fibre_event.ApiClient(fibre_event.Configuration(host='http://127.0.0.1:3002', access_token=token))

nodes = fibre_coverage.SearchApi(coverage).search_coverage('48.2085, 16.3730', search_radius=500)
print(len(nodes), 'nodes around')

at = datetime.now(ZoneInfo('Europe/Vienna'))
notification = fibre_event.NotificationRequest(entity_id=uuid4(), event_type='notification', event_at=at)
event = fibre_event.EventsApi(events).record_event(fibre_event.RecordEventRequest(notification))
print(at, event.event_at)

file = 'token,center,customer_reference\nplanned,"48.2,16.3",P-1\nplanned,"48.2,16.3",P-2\nplanned,"48.2,16.3",P-3\n'
relation = UUID('0192d3a5-7c10-7b2c-8d4f-1e6a9c3b5f15')
result = fibre_coverage.AccessNodesApi(coverage).import_access_nodes(file, relation_id=relation, _content_type='text/csv')
print(result.rows, 'rows')

changes = fibre_coverage.ChangesApi(coverage).list_node_changes(page_size=1000)
print({change.actual_instance.change for change in changes})
