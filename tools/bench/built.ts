import { join } from 'node:path';
import { WORKSPACE } from '../workspace.js';

/** A module of the built service, so that the bare handler cannot drift apart from it. */
export const built = async <Module>(file: string): Promise<Module> => (await import(join(WORKSPACE, file))) as Module;
