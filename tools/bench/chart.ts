const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 400, 70, 45, 50, 55];
const GRID_LINES = 4;
const STEPS = Array.from({ length: GRID_LINES + 1 }, (_, i) => i / GRID_LINES);
const LEGEND_WIDTH = 150;

export type Point = readonly [x: number, y: number];

export interface Line {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly Point[];
  /** Drawn without marks and dashed: what it is compared with. */
  readonly dashed?: boolean;
}

export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly Line[];
  /** The x axis is logarithmic, from the least to the greatest value. */
  readonly logarithmic?: boolean;
}

/** Lines over a grid, as an SVG; axes begin at zero unless they are logarithmic. */
export function drawChart({ title, xLabel, yLabel, lines, logarithmic = false }: Chart): string {
  const all = lines.flatMap(({ points }) => points);
  const { part, marks } = (logarithmic ? logarithmicAxis : linearAxis)(all.map(([x]) => x));
  const maxY = roundUp(Math.max(...all.map(([, y]) => y)) * 1.1);
  const x = (value: number): string => (LEFT + part(value) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (value: number): string => (HEIGHT - BOTTOM - (value / maxY) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const draw = ({ points, colour, dashed }: Line): string =>
    `<polyline fill="none" stroke="${colour}" stroke-width="${dashed ? 1 : 2.5}"${dashed ? ' stroke-dasharray="5 4"' : ''} points="${points.map(([a, b]) => `${x(a)},${y(b)}`).join(' ')}"/>` +
    (dashed ? '' : points.map(([a, b]) => `<circle cx="${x(a)}" cy="${y(b)}" r="3.5" fill="${colour}"/>`).join(''));
  const text = (at: string, content: string, anchor = 'middle', colour = '#222222'): string =>
    `<text ${at} text-anchor="${anchor}" fill="${colour}">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(`x="${WIDTH / 2}" y="20" font-size="15"`, title),
    ...STEPS.map((part) => `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(part * maxY)}" y2="${y(part * maxY)}" stroke="#dddddd"/>`),
    ...STEPS.map((part) => text(`x="${LEFT - 8}" y="${Number(y(part * maxY)) + 4}"`, number(part * maxY), 'end')),
    ...marks.map((mark) => text(`x="${x(mark)}" y="${HEIGHT - BOTTOM + 18}"`, number(mark))),
    text(`x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - 12}"`, xLabel),
    text(`x="18" y="${HEIGHT / 2}" transform="rotate(-90 18 ${HEIGHT / 2})"`, yLabel),
    ...lines.map(draw),
    ...lines.map(({ name, colour }, i) => text(`x="${LEFT + 12 + i * LEGEND_WIDTH}" y="40" font-weight="bold"`, name, 'start', colour)),
    '</svg>\n',
  ].join('\n');
}

/** Where a value is, as a part of the axis, and which values are named on it. */
interface Axis {
  readonly part: (value: number) => number;
  readonly marks: readonly number[];
}

function linearAxis(values: readonly number[]): Axis {
  const max = roundUp(Math.max(...values));
  return { part: (value) => value / max, marks: STEPS.map((step) => step * max) };
}

function logarithmicAxis(values: readonly number[]): Axis {
  const [min, max] = [Math.min(...values), Math.max(...values)].map(Math.log10) as [number, number];
  const powers = Array.from({ length: Math.floor(max) - Math.ceil(min) + 1 }, (_, i) => 10 ** (Math.ceil(min) + i));
  return { part: (value) => (Math.log10(value) - min) / (max - min), marks: powers };
}

const number = (value: number): string => Math.round(value).toLocaleString('en-GB');

/** To two significant digits, so that the grid lines have names that can be read. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1) * GRID_LINES;
  return Math.ceil(value / unit) * unit;
}
