import { nextCursor } from './pages.js';

const linking = (link?: string) => new Response(null, link === undefined ? {} : { headers: { link } });
const HERE = 'http://127.0.0.1:3001/v2/cov/relations/';

test.each([
  [`<${HERE}?_page_size=50>; rel=self, <${HERE}?_page_cursor=a%2Cb%3D&_page_size=50>; rel=next`, 'a,b='],
  [`<${HERE}?_page_cursor=x>; rel="next"`, 'x'],
  [`<${HERE}?_page_cursor=x>; rel=self`, undefined],
  [undefined, undefined],
])('the cursor of the next page in %j is %j', (link, cursor) => {
  expect(nextCursor(linking(link))).toBe(cursor);
});
