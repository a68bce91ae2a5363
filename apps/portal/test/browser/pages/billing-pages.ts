import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator } from '../../../../../extra/browser.js';
import { PortalPage } from './portal-page.js';

/** Billing: the months, and one of them. */
export class BillingPages extends PortalPage {
  readonly months: Locator = this.page.getByRole('table', { name: /^(Billing|Abrechnung)$/ });
  readonly totals: Locator = this.page.getByRole('table', { name: 'What is charged' });
  /** What a line of the totals consists of. */
  readonly steps: Locator = this.page.getByRole('table', { name: /^(What it consists of|Woraus sie besteht)$/ });
  readonly corrections: Locator = this.page.getByRole('table', { name: 'Corrections' });
  readonly asRecorded: Locator = this.page.getByLabel('As recorded');
  readonly dialog: Locator = this.page.getByRole('dialog');

  static of({ page, url }: PortalPage): BillingPages {
    return new BillingPages(page, url);
  }

  /** The row of a month; shows earlier months until it is there. */
  month(title: string): Promise<Locator> {
    return this.show(this.months.getByRole('row').filter({ has: this.page.getByRole('link', { name: title, exact: true }) }));
  }

  /** The row with the closing that has this reference; shows earlier months until it is there. */
  rowOf(reference: string): Promise<Locator> {
    return this.show(this.months.getByRole('row').filter({ hasText: reference }));
  }

  private async show(row: Locator): Promise<Locator> {
    await this.months.waitFor();
    while (!(await row.isVisible())) await this.page.getByRole('button', { name: 'Show earlier months' }).click();
    return row;
  }

  async openMonth(title: string): Promise<void> {
    await (await this.month(title)).getByRole('link').first().click();
    await this.page.getByRole('heading', { level: 1, name: title }).waitFor();
  }

  /** The text of the cells of a table, by row. */
  async rowsOf(table: Locator): Promise<string[][]> {
    await table.waitFor();
    const rows = await table.locator('tbody tr, tfoot tr').all();
    return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
  }

  /** @returns the name and the lines of a file */
  async download(what: string): Promise<{ name: string; lines: string[] }> {
    const download = this.page.waitForEvent('download');
    await this.page.getByRole('button', { name: `Export ${what} (CSV)` }).click();
    const file = await download;
    const text = await readFile(await file.path(), 'utf8');
    return { name: file.suggestedFilename(), lines: text.replace('\uFEFF', '').trim().split('\r\n') };
  }

  /** @returns the path of a spreadsheet */
  async sheet(what: string): Promise<string> {
    const download = this.page.waitForEvent('download');
    await this.page.getByRole('button', { name: `${what} (Excel)` }).click();
    const file = await download;
    const path = join(dirname(await file.path()), file.suggestedFilename());
    await file.saveAs(path);
    return path;
  }
}
