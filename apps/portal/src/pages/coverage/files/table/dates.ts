const SHORT = /^(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4}|\d{2})(?:[ T]0?0:00(?::00)?)?$/;
const LONG = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T]00:00(?::00)?)?$/;
/** Days since 1899-12-30, as a spreadsheet counts them, from 1954 to 2119. */
const SERIAL = /^[2-7]\d{4}$/;

/**
 * How the dates of a column are read: `01.03.2027`, `1.3.27`, `1/3/2027`, and 46447, which a spreadsheet shows as a date. With slashes, the
 * day comes first if a first number is no month, or if the file has decimal commas and no second number is a day; if neither is known,
 * they stay as they are, and the service rejects them.
 *
 * @returns a date as the service expects it; another text is unchanged
 */
export function dateReader(cells: Iterable<string>, hasCommas: boolean): (cell: string) => string {
  let [isDayFirst, isMonthFirst] = [false, false];
  for (const cell of cells) {
    const [, first, sign, second] = SHORT.exec(cell.trim()) ?? [];
    if (sign !== '/') continue;
    isDayFirst ||= Number(first) > 12;
    isMonthFirst ||= Number(second) > 12;
  }
  const order =
    isDayFirst && !isMonthFirst ? 'day' : isMonthFirst && !isDayFirst ? 'month' : hasCommas && !isMonthFirst ? 'day' : undefined;
  return (cell) => {
    const text = cell.trim();
    if (SERIAL.test(text)) return new Date(Date.UTC(1899, 11, 30 + Number(text))).toISOString().slice(0, 10);
    const [, long = '', longMonth = '', longDay = ''] = LONG.exec(text) ?? [];
    if (long) return dateOf(long, longMonth, longDay);
    const [, first = '', sign, second = '', year = ''] = SHORT.exec(text) ?? [];
    if (!sign || (sign === '/' && !order)) return cell;
    const [day, month] = sign === '/' && order === 'month' ? [second, first] : [first, second];
    return dateOf(year.length === 2 ? `20${year}` : year, month, day);
  };
}

const dateOf = (year: string, month: string, day: string): string => [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
