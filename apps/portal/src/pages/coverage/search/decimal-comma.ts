const DEGREES = '(-?\\d{1,3})[.,](\\d+)';
const PAIR = new RegExp(`^\\s*${DEGREES}(?:\\s*[;/]\\s*|\\s*,\\s*|\\s+)${DEGREES}\\s*$`);

/** The center meant by `48,2108; 16,3575` or `48,2108, 16,3575`; `undefined` if the text is not a center or needs no change. */
export function withDecimalPoints(text: string): string | undefined {
  const [, latitude, latitudeDecimals, longitude, longitudeDecimals] = PAIR.exec(text) ?? [];
  if (latitude === undefined) return undefined;
  const meant = `${latitude}.${latitudeDecimals}, ${longitude}.${longitudeDecimals}`;
  return meant.replaceAll(' ', '') === text.replaceAll(' ', '') ? undefined : meant;
}
