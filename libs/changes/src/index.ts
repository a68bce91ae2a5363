export { ChangesQuery } from './changes.requests.js';
export { type Change, CHANGE_FEEDS, type ChangePage, type FeedOwner, LEAST_ID, ListedFeed, SETTLED_UNTIL } from './listed-feed.js';
