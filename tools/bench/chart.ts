const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 400, 70, 20, 50, 55];
const GRID_LINES = 4;
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
}

/** Lines over a grid, as an SVG; both axes begin at zero. */
export function drawChart({ title, xLabel, yLabel, lines }: Chart): string {
  const all = lines.flatMap(({ points }) => points);
  const maxX = roundUp(Math.max(...all.map(([x]) => x)));
  const maxY = roundUp(Math.max(...all.map(([, y]) => y)) * 1.1);
  const x = (value: number): string => (LEFT + (value / maxX) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (value: number): string => (HEIGHT - BOTTOM - (value / maxY) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const draw = ({ points, colour, dashed }: Line): string =>
    `<polyline fill="none" stroke="${colour}" stroke-width="${dashed ? 1 : 2.5}"${dashed ? ' stroke-dasharray="5 4"' : ''} points="${points.map(([a, b]) => `${x(a)},${y(b)}`).join(' ')}"/>` +
    (dashed ? '' : points.map(([a, b]) => `<circle cx="${x(a)}" cy="${y(b)}" r="3.5" fill="${colour}"/>`).join(''));
  const text = (at: string, content: string, anchor = 'middle', colour = '#222222'): string =>
    `<text ${at} text-anchor="${anchor}" fill="${colour}">${content}</text>`;
  const steps = Array.from({ length: GRID_LINES + 1 }, (_, i) => i / GRID_LINES);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(`x="${WIDTH / 2}" y="20" font-size="15"`, title),
    ...steps.map((part) => `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(part * maxY)}" y2="${y(part * maxY)}" stroke="#dddddd"/>`),
    ...steps.map((part) => text(`x="${LEFT - 8}" y="${Number(y(part * maxY)) + 4}"`, number(part * maxY), 'end')),
    ...steps.map((part) => text(`x="${x(part * maxX)}" y="${HEIGHT - BOTTOM + 18}"`, number(part * maxX))),
    text(`x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - 12}"`, xLabel),
    text(`x="18" y="${HEIGHT / 2}" transform="rotate(-90 18 ${HEIGHT / 2})"`, yLabel),
    ...lines.map(draw),
    ...lines.map(({ name, colour }, i) => text(`x="${LEFT + 12 + i * LEGEND_WIDTH}" y="40" font-weight="bold"`, name, 'start', colour)),
    '</svg>\n',
  ].join('\n');
}

const number = (value: number): string => Math.round(value).toLocaleString('en-GB');

/** To two significant digits, so that the grid lines have names that can be read. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1) * GRID_LINES;
  return Math.ceil(value / unit) * unit;
}
