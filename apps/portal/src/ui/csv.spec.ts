import { csvOf } from './csv.js';

const cellsOf = async (texts: readonly string[]): Promise<string[]> => {
  const file = await csvOf(
    texts.map((text) => ({ text })),
    ['text'],
  ).text();
  return file.trimEnd().split('\r\n').slice(1);
};

describe('a file for spreadsheets', () => {
  it('marks formulas as text', async () => {
    expect(await cellsOf(['=A1', '+A1', '-A1', '@A1', '-1-A1'])).toEqual(["'=A1", "'+A1", "'-A1", "'@A1", "'-1-A1"]);
  });

  it('keeps numbers and coordinates, in every quarter of the world', async () => {
    const numbers = ['-12.5', '+43 1 2345', '1-2'];
    expect(await cellsOf(numbers)).toEqual(numbers);
    const centers = ['48.2, 16.3', '48.2, -16.3', '-48.2, 16.3', '-48.2, -16.3'];
    expect(await cellsOf(centers)).toEqual(centers.map((center) => `"${center}"`));
  });
});
