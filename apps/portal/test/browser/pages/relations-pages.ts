import type { Locator } from '../../../../../extra/browser.js';
import { PortalPage } from './portal-page.js';

/** Organisation > Relations: the list, the form, one relation. */
export class RelationsPages extends PortalPage {
  readonly name: Locator = this.page.getByLabel('Name');
  readonly pip: Locator = this.page.getByLabel('Infrastructure provider (PIP)');
  readonly comment: Locator = this.page.getByLabel('Comment');
  readonly save: Locator = this.page.getByRole('button', { name: 'Save' });
  readonly rows: Locator = this.page.getByRole('row');

  static of({ page, url }: PortalPage): RelationsPages {
    return new RelationsPages(page, url);
  }

  async beginNew(): Promise<void> {
    await this.page.getByRole('link', { name: 'New relation' }).first().click();
    await this.name.waitFor();
  }

  async fill({ name, pip, comment = '' }: { name: string; pip: string; comment?: string }): Promise<void> {
    await this.name.fill(name);
    await this.pip.fill(pip);
    await this.comment.fill(comment);
  }

  /** The hint and error of a field. */
  descriptionOf(field: Locator): Promise<string | undefined> {
    return field.evaluate((element) =>
      element
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );
  }

  /** Pages through the list, newest first, until the relation is visible. */
  async find(name: string): Promise<void> {
    await this.rows.nth(1).waitFor();
    const link = this.page.getByRole('link', { name });
    const more = this.page.getByRole('button', { name: 'Show more' });
    // The button disappears with the last page, possibly between the check and the click.
    while (!(await link.isVisible())) await Promise.race([link.waitFor(), more.click({ timeout: 5_000 }).catch(() => undefined)]);
  }

  async askToDelete(): Promise<void> {
    await this.page.getByRole('button', { name: 'Delete the relation' }).click();
    await this.page.getByRole('dialog').waitFor();
  }

  async copyId(): Promise<string> {
    await this.page.getByRole('button', { name: 'Copy relation_id' }).click();
    await this.status.getByText('relation_id copied').waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }
}
