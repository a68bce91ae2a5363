const DEGREES = String.raw`(-?\d{1,3}(?:[.,]\d+)?)`;
const PAIR = new RegExp(String.raw`^\s*${DEGREES}(?:\s*[,;/]\s*|\s+)${DEGREES}\s*$`);

/** The center meant by `48.2, 16.3`, or by `48,2108; 16,3575` with decimal commas; `undefined` if the text is not a center. */
export function centerIn(text: string): string | undefined {
  const [, latitude, longitude] = PAIR.exec(text) ?? [];
  return longitude && `${latitude}, ${longitude}`.replaceAll(/,(?=\d)/g, '.');
}
