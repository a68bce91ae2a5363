import { colourOf, type Colours, STAGES } from './colours.js';

/** What the ids of images begin with: rings, and discs behind letters. */
export const RING = 'ring/';
export const DISC = 'disc/';
/** Size in pixels. */
const RING_SIZE = 40;
const RING_WIDTH = 4;

/**
 * Draws the ring of a cell, which shows the share of each stage, or the disc behind the letter of a quality.
 *
 * @param id id of the image, as in the layers `rings` and `search-qualities`
 */
export function imageOf(id: string, colours: Colours): ImageData | undefined {
  const isDisc = id.startsWith(DISC);
  if (!id.startsWith(RING) && !isDisc) return undefined;
  const shares = isDisc ? [] : id.slice(RING.length).split('/').map(Number);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const context = new OffscreenCanvas(RING_SIZE * 2, RING_SIZE * 2).getContext('2d')!;
  context.scale(2, 2);
  context.translate(RING_SIZE / 2, RING_SIZE / 2);
  const circle = (radius: number, from: number, to: number): void => {
    context.beginPath();
    context.arc(0, 0, radius, from, to);
  };
  context.fillStyle = colours.land;
  circle(RING_SIZE / 2, 0, 2 * Math.PI);
  context.fill();
  if (isDisc) {
    context.fillStyle = colours[colourOf(id.slice(DISC.length))];
    circle(RING_SIZE / 2 - 3, 0, 2 * Math.PI);
    context.fill();
  }
  context.lineWidth = RING_WIDTH;
  let at = -Math.PI / 2;
  for (const [index, share] of shares.entries()) {
    const to = at + (2 * Math.PI * share) / whole;
    context.strokeStyle = colours[STAGES[index]!];
    circle((RING_SIZE - RING_WIDTH) / 2 - 1, at, to);
    if (share > 0) context.stroke();
    at = to;
  }
  return context.getImageData(0, 0, RING_SIZE * 2, RING_SIZE * 2);
}
