import type { OverloadResult } from './measure.js';
import type { OverloadSubject } from './suites.js';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 400, 70, 20, 50, 55];
const COLOURS = { ideal: '#999999', before: '#d95f02', now: '#1b6ca8' };
const GRID_LINES = 4;

type Point = readonly [offered: number, good: number];

/** Goodput against offered load, as an SVG. */
export function plot({ title }: OverloadSubject, before: OverloadResult | undefined, after: OverloadResult): string {
  const pointsOf = ({ curve }: OverloadResult): Point[] => [[0, 0], ...curve.map(({ offered, good }): Point => [offered, good])];
  const [now, was] = [pointsOf(after), before ? pointsOf(before) : []];
  const maxX = roundUp(Math.max(...[...now, ...was].map(([offered]) => offered)));
  const maxY = roundUp(Math.max(...[...now, ...was].map(([, good]) => good)) * 1.1);
  const x = (value: number): string => (LEFT + (value / maxX) * (WIDTH - LEFT - RIGHT)).toFixed(1);
  const y = (value: number): string => (HEIGHT - BOTTOM - (value / maxY) * (HEIGHT - TOP - BOTTOM)).toFixed(1);
  const curve = (points: readonly Point[], colour: string): string =>
    `<polyline fill="none" stroke="${colour}" stroke-width="2.5" points="${points.map(([a, b]) => `${x(a)},${y(b)}`).join(' ')}"/>` +
    points.map(([a, b]) => `<circle cx="${x(a)}" cy="${y(b)}" r="3.5" fill="${colour}"/>`).join('');
  const text = (at: string, content: string, anchor = 'middle', colour = '#222222'): string =>
    `<text ${at} text-anchor="${anchor}" fill="${colour}">${content}</text>`;
  const steps = Array.from({ length: GRID_LINES + 1 }, (_, i) => i / GRID_LINES);
  const legend = [
    ['as much as is asked', COLOURS.ideal] as const,
    ['now', COLOURS.now] as const,
    ...(before ? [['before', COLOURS.before] as const] : []),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(`x="${WIDTH / 2}" y="20" font-size="15"`, `${title}: goodput against offered load`),
    ...steps.map((part) => `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(part * maxY)}" y2="${y(part * maxY)}" stroke="#dddddd"/>`),
    ...steps.map((part) => text(`x="${LEFT - 8}" y="${Number(y(part * maxY)) + 4}"`, number(part * maxY), 'end')),
    ...steps.map((part) => text(`x="${x(part * maxX)}" y="${HEIGHT - BOTTOM + 18}"`, number(part * maxX))),
    text(`x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - 12}"`, 'requests offered per second'),
    text(`x="18" y="${HEIGHT / 2}" transform="rotate(-90 18 ${HEIGHT / 2})"`, 'answered 2xx per second'),
    `<line x1="${x(0)}" y1="${y(0)}" x2="${x(Math.min(maxX, maxY))}" y2="${y(Math.min(maxX, maxY))}" stroke="${COLOURS.ideal}" stroke-dasharray="5 4"/>`,
    ...(before ? [curve(was, COLOURS.before)] : []),
    curve(now, COLOURS.now),
    ...legend.map(([name, colour], i) => text(`x="${LEFT + 12 + i * 150}" y="40" font-weight="bold"`, name, 'start', colour)),
    '</svg>\n',
  ].join('\n');
}

const number = (value: number): string => Math.round(value).toLocaleString('en-GB');

/** To two significant digits, so that the grid lines have names that can be read. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1) * GRID_LINES;
  return Math.ceil(value / unit) * unit;
}
