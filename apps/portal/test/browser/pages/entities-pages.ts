import type { Locator } from '../../../../../extra/browser.js';
import { PortalPage } from './portal-page.js';

/** Input for an event form; times are local times in the zone. */
export interface TypedEvent {
  readonly at: string;
  readonly zone?: string;
  readonly isp?: string;
  readonly articles?: readonly string[];
  readonly reference?: string;
}

/** Entities: the list with its filters, one entity, and the event forms. */
export class EntitiesPages extends PortalPage {
  readonly record: Locator = this.page.getByRole('button', { name: 'Record', exact: true });
  readonly charges: Locator = this.page.getByRole('table', { name: 'What is charged' }).locator('tbody tr');
  readonly events: Locator = this.page.getByRole('table', { name: 'Events' }).locator('tbody tr');
  readonly entities: Locator = this.page.getByRole('table', { name: 'Entities' }).locator('tbody tr');
  readonly state: Locator = this.page.locator('.badge');
  readonly drawing: Locator = this.page.getByRole('slider', { name: /^Subscriptions and notifications from/ });
  readonly articles: Locator = this.page.getByLabel(/^Articles/);
  readonly when: Locator = this.page.getByLabel('When it took place');

  static of({ page, url }: PortalPage): EntitiesPages {
    return new EntitiesPages(page, url);
  }

  /** Chooses the type of the next event on the page of an entity. */
  async begin(type: string): Promise<void> {
    await this.page.getByRole('link', { name: `${type} …` }).click();
    await this.when.waitFor();
  }

  async fill({ at, zone, isp, articles, reference }: TypedEvent): Promise<void> {
    await this.when.fill(at);
    if (zone !== undefined) await this.page.getByLabel('Time zone').fill(zone);
    if (isp !== undefined) await this.page.getByLabel(/^ISP(?! reference)/).selectOption({ label: isp });
    if (articles !== undefined) await this.articles.fill(articles.join('\n'));
    if (reference !== undefined) await this.page.getByLabel('Your reference').fill(reference);
  }

  /** Filters the list; an empty string removes that filter. */
  async narrow({ state, isp, article }: { state?: string; isp?: string; article?: string }): Promise<void> {
    if (state !== undefined) await this.page.getByLabel('State').selectOption({ label: state });
    if (isp !== undefined) await this.page.getByLabel(/^ISP/).selectOption({ label: isp });
    if (article !== undefined) {
      await this.page.getByLabel('Article code').fill(article);
      await this.page.keyboard.press('Enter');
    }
  }
}
