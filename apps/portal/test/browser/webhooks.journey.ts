import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { respondWith, WebhookReceiver } from '@fibre/testing';
import { journeys } from './journey.js';

journeys('Webhooks', {
  'a webhook is created, its secret can be copied once, and it can be tested, rotated, disabled and deleted': async (traveller) => {
    const { portal, page, stack } = traveller;
    traveller.expects(/422/);
    const receiver = await new WebhookReceiver().start();
    try {
      await portal.open();
      await portal.chooseFromMenu('Organisation', 'Webhooks');
      await page.getByText('There are no webhooks yet.').waitFor();
      await traveller.checkAccessibility();
      await page.getByRole('link', { name: 'New webhook' }).first().click();
      const [url, save] = [page.getByLabel('URL'), page.getByRole('button', { name: 'Create webhook' })];
      await url.fill('http://crm.example/');
      await save.click();
      await page.getByText(/must be an https URL/).waitFor();
      await traveller.checkAccessibility();
      await url.fill(receiver.urlOf());
      await page.getByLabel('What is sent').selectOption('Changes to events');
      await page.getByLabel('Description').fill('CRM');
      await save.dblclick();
      // Whoever leaves without the secret is asked.
      const asked = page.waitForEvent('dialog').then((dialog) => dialog.dismiss());
      await page.getByRole('link', { name: 'Show the webhook' }).click();
      await asked;
      const { width } = (await page.getByRole('link', { name: 'Show the webhook' }).boundingBox())!;
      assert.ok(width < 300, `${width}`);
      await page.getByRole('button', { name: 'Copy Secret' }).click();
      await portal.status.getByText('Secret copied').waitFor();
      receiver.secrets.push(await page.evaluate(() => navigator.clipboard.readText()));
      await traveller.checkAccessibility();

      await page.getByRole('link', { name: 'Show the webhook' }).click();
      await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The test was received (204). Check that it has read one event').waitFor();
      assert.deepEqual([receiver.events.map(({ type }) => type), receiver.unverified], [['open-access-fibre.webhook.test'], []]);
      await page.getByRole('button', { name: 'New secret' }).click();
      const rotated = await page.getByText(/^whsec_/).textContent();
      receiver.secrets.push(rotated!);
      await page.getByRole('button', { name: 'Send a test' }).click();
      while (receiver.batches.length < 2) await page.waitForTimeout(50);
      assert.deepEqual(receiver.unverified, []);
      await page.getByRole('button', { name: 'Copy Secret' }).click();
      await receiver.stop();
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('The test was not received: the connection failed: ECONNREFUSED').waitFor();
      await traveller.checkAccessibility();

      // A delivery that fails is named with its time.
      await stack.api('PUT', '/api/v2/sys/events/', {
        entity_id: randomUUID(),
        event_type: 'notification',
        event_at: '2026-01-01T00:00:00+01:00',
      });
      const deliveries = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Deliveries' }) });
      while ((await deliveries.getByText('Failing since').count()) === 0) {
        await page.waitForTimeout(500);
        await page.reload();
        await deliveries.waitFor();
      }
      await deliveries.getByText('the connection failed: ECONNREFUSED').waitFor();
      await page.getByText('The service tries again').waitFor();
      assert.match(await page.title(), /^CRM/);
      await traveller.checkAccessibility();
      // The overview names it, too.
      await page.getByRole('link', { name: 'Open Access Fibre' }).click();
      await page.getByRole('heading', { name: 'Webhooks that do not arrive' }).waitFor();
      await traveller.checkAccessibility();
      await page.getByRole('listitem').filter({ hasText: 'since' }).getByRole('link', { name: 'CRM' }).click();
      await page.getByRole('button', { name: 'Disable' }).click();
      const trouble = page.locator('.notice').filter({ hasText: 'This webhook is switched off; nothing is sent.' });
      await trouble.getByText('There was no answer. the connection failed: ECONNREFUSED').waitFor();
      await trouble.getByText('Put the receiver right').waitFor();
      await traveller.checkAccessibility();
      await page.getByRole('button', { name: 'Enable' }).click();
      await trouble.waitFor({ state: 'detached' });
      // A receiver that does not read this type of body refuses it.
      await receiver.start();
      receiver.respond = respondWith(415);
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('(Let the receiver read this type as JSON.)').waitFor();
      await receiver.stop();
      for (const does of ['Disable', 'Enable', 'Disable']) await page.getByRole('button', { name: does }).click();
      await page.getByRole('button', { name: 'Enable' }).waitFor();
      await portal.chooseFromMenu('Organisation', 'Webhooks');
      await page.getByText('Disabled').waitFor();
      await traveller.checkAccessibility();
      await page.getByRole('link', { name: receiver.urlOf() }).click();
      await page.getByRole('button', { name: 'Delete the webhook' }).click();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('There are no webhooks yet.').waitFor();
      assert.deepEqual(await stack.api('GET', '/api/v2/sys/webhooks/'), []);
    } finally {
      await receiver.stop().catch(() => undefined);
    }
  },
});
