import type { Locator } from '../../../../../extra/browser.js';
import { PortalPage } from './portal-page.js';

/** Coverage: the map, and next to it filters, search, list, merge and delete. */
export class CoveragePage extends PortalPage {
  readonly map: Locator = this.page.locator('[data-map-state]');
  /** The map itself, which takes keyboard input. */
  readonly canvas: Locator = this.page.getByRole('region', { name: /^(Map of the access nodes|Karte der Zugangsknoten)/ });
  readonly inView: Locator = this.map.getByRole('status');
  readonly side: Locator = this.page.getByRole('complementary');
  readonly results: Locator = this.side.getByRole('listitem').filter({ hasText: /Quality/ });
  /** Where to search. */
  readonly place: Locator = this.side.getByLabel(/^(Address, place|Adresse, Ort)/);
  readonly node: Locator = this.page.getByRole('region', { name: 'Access node' });

  static of({ page, url }: PortalPage): CoveragePage {
    return new CoveragePage(page, url);
  }

  /** Waits until the map has drawn everything. */
  async settle(): Promise<void> {
    await this.page.locator('[data-map-state="idle"]').waitFor();
  }

  /** Waits until the map says this, for example '300 access nodes in view'. */
  async sees(words: string): Promise<void> {
    await this.inView
      .getByText(words, { exact: true })
      .or(this.inView.and(this.page.getByText(words, { exact: true })))
      .waitFor();
  }

  async showAll(): Promise<void> {
    await this.map.getByRole('button', { name: 'Show all' }).click();
  }

  /** The position of the map. */
  view(): { zoom: number; latitude: number; longitude: number } {
    const [zoom = NaN, latitude = NaN, longitude = NaN] = new URL(this.page.url()).searchParams.get('view')?.split('/').map(Number) ?? [];
    return { zoom, latitude, longitude };
  }

  /** Chooses a file in the file field. */
  async chooseFile(name: string, buffer: Buffer): Promise<void> {
    await this.side.getByLabel(/^(Choose a file|Another file)/).setInputFiles({ name, mimeType: '', buffer });
    await this.side.getByText(name, { exact: true }).waitFor();
  }

  async choosePanel(name: string): Promise<void> {
    await this.side.getByRole('button', { name, exact: true }).click();
  }

  async chooseCollection(name: string): Promise<void> {
    await this.side.getByText(name, { exact: true }).click();
  }

  async filter(label: string, option: string): Promise<void> {
    await this.side.getByLabel(label, { exact: true }).selectOption({ label: option });
  }

  async search({ center, radius = '1000', limit = '10' }: { center: string; radius?: string; limit?: string }): Promise<void> {
    await this.side.getByLabel('Radius in metres').fill(radius);
    await this.side.getByLabel('Maximum results').fill(limit);
    await this.place.fill(center);
    await this.place.press('Enter');
  }

  /** Waits until the map describes what is under the pointer. */
  async describes(words: RegExp): Promise<void> {
    await this.page.waitForFunction(
      ({ source }) => new RegExp(source).test(document.querySelector<HTMLElement>('.maplibregl-canvas')?.title ?? ''),
      { source: words.source },
    );
  }

  /** Clicks on the map, at an offset in pixels from its center. On a phone, using a form below the map may have scrolled the map out of view. */
  async clickMap(right = 0, down = 0): Promise<void> {
    await this.canvas.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await this.canvas.boundingBox())!;
    await this.page.mouse.click(x + width / 2 + right, y + height / 2 + down);
  }
}
