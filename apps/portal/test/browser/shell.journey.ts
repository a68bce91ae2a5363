import assert from 'node:assert/strict';
import { journeys } from './journey.js';

journeys('the shell', {
  'sign in, a deep link is kept, sign out': async ({ portal, page }) => {
    await portal.open('entities?state=active');
    assert.equal(await portal.heading.textContent(), 'Entities');
    assert.equal(new URL(page.url()).search, '?state=active');
    await portal.signOut();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  },
});
