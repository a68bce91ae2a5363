import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE } from '../../workspace.js';

/** A CPU profile as V8 writes it, as far as it is read here. */
interface CpuProfile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string }; children?: readonly number[] }[];
  /** Microseconds, by the clock of `process.hrtime`. */
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Our folders by their names, which files of a bundle have. */
const OURS = new Map(
  ['libs', 'apps'].flatMap((parent) => readdirSync(join(WORKSPACE, parent)).map((name): [string, string] => [name, `${parent}/${name}`])),
);
const [IDLE, NATIVE, NODE] = ['(idle)', '(program)', 'Node.js'];

/** Microseconds between `from` and `to` by the part of the program they are spent for: the package that called, whatever of Node.js it called. */
export function timeByPart(file: string, from: number, to: number): Map<string, number> {
  const { nodes, startTime, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const parts = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const below: [id: number, caller: string][] = [[nodes[0]!.id, NODE]];
  for (let next = below.pop(); next; next = below.pop()) {
    const [id, caller] = next;
    const { callFrame, children = [] } = byId.get(id)!;
    const part = partOf(callFrame) ?? caller;
    parts.set(id, part);
    below.push(...children.map((child): [number, string] => [child, part]));
  }
  const found = new Map<string, number>();
  let time = startTime;
  for (const [index, id] of samples.entries()) {
    const took = timeDeltas[index]!;
    time += took;
    const part = parts.get(id)!;
    if (time < from || time > to || part === IDLE) continue;
    found.set(part, (found.get(part) ?? 0) + took);
  }
  return found;
}

/** @returns `undefined` for what belongs to its caller */
function partOf({ functionName, url }: { functionName: string; url: string }): string | undefined {
  if (functionName === IDLE) return IDLE;
  if (functionName === NATIVE) return 'outside of JavaScript';
  if (functionName === '(garbage collector)') return 'garbage collection';
  const bundled = /\/dist\/bundle\/([^/]+)\.js$/.exec(url)?.[1];
  if (bundled !== undefined) return OURS.get(bundled) ?? bundled.replace(/^(@[^-]+)-/, '$1/');
  const inPackage = /.*\/node_modules\/(@[^/]+\/[^/]+|[^/]+)\//.exec(url);
  if (inPackage) return inPackage[1];
  return /\/((?:libs|apps)\/[^/]+)\/(?:dist|src)\//.exec(url)?.[1];
}
