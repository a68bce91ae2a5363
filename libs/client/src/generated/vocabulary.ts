/** Written by vocabulary.mjs. */
export const COLLECTIONS = ["nodes","prenodes"] as const;
export const TOKENS = ["planned","construction","operation"] as const;
export const STATUSES = ["active","started","suspended","completed","terminated"] as const;
export const OFFERS = ["now","from","planned"] as const;
export const NODE_FIELDS = ["technology","customer_reference","country","address_id","address","lot_id","available_from","units","units_connected","download_mbps","upload_mbps","relation_id","token","center","status"] as const;
export const SEARCH_DEFAULTS = {"search_radius":100,"limit":5} as const;
export const ENTITY_STATES = ["active","inactive","announced"] as const;
export const EVENT_TOKENS = ["fresh","untouched","completed"] as const;
export const EVENT_TYPES = ["activation","update","deactivation","notification"] as const;
