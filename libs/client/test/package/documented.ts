import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programArgs } from '@fibre/testing/processes';
import { WORKSPACE } from '../stack.js';

const main = join(WORKSPACE, 'libs/client/src/cli/main.ts');
/** Defines `fibre` as a shell function that runs the command from source code. */
export const FIBRE_IN_SHELL = `fibre() { (cd ${WORKSPACE} && "${process.execPath}" ${programArgs(main).join(' ')} "$@"); }\n`;

/** The commands on a page, each with its output. */
export async function documentedCommands(path: string): Promise<{ command: string; said: string }[]> {
  const page = await readFile(join(WORKSPACE, path), 'utf8');
  return [...page.matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, block]) => commandsOf(block!));
}

/** The commands in a code block, each with its output. A here-document is part of its command. */
function commandsOf(block: string): { command: string; said: string }[] {
  const commands: { command: string; said: string }[] = [];
  let isOpen = false;
  for (const line of block.split('\n').filter(Boolean)) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ command: `${line.slice(2)}\n`, said: '' });
    else if (isOpen) last!.command += `${line}\n`;
    else last!.said += `${line}\n`;
    isOpen = (isOpen || line.includes('<<EOF')) && line !== 'EOF';
  }
  return commands;
}
