/** What a client sends to record an event. */
export interface EventRequest {
  entity_id: string;
  event_type: 'activation' | 'update' | 'deactivation' | 'notification';
  event_at: string;
  sys_attributes?: { partner_id?: string; article_codes?: string[] };
  usr_reference?: string;
  usr_attributes?: object;
  comment?: string;
}

/** An event as the API returns it. */
export interface RecordedEvent extends EventRequest {
  event_id: string;
  event_timezone: string;
  tenant: string;
  created_at: string;
  modified_at: string;
}

export const EVENTS = '/api/v2/sys/events/';
export const LATEST = `${EVENTS}latest/`;
