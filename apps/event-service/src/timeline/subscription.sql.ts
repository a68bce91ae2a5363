import { type JsonMember, jsonObjectText } from '@fibre/database';

/** SQL expression for a `SubscriptionResponse` as JSON; `row` has its members as columns. Null without an ISP. */
export function subscriptionJson(row: string): string {
  const members: JsonMember[] = [
    { name: 'partner_id', sql: `${row}.partner_id`, as: 'plain' },
    { name: 'option82', sql: `${row}.option82`, as: 'text', optional: true },
    { name: 'partner_reference', sql: `${row}.partner_reference`, as: 'text', optional: true },
  ];
  return `case when ${row}.partner_id is not null then ${jsonObjectText(members)} end`;
}
