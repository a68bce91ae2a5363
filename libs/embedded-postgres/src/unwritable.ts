import fs from 'node:fs';
import path from 'node:path';

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its file system is read-only',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOSPC: 'no space is left on its disk',
  EDQUOT: "this user's disk quota is used up",
};

/** Explains an error that occurred while writing below `folder`: the reason, and what to do. Other errors are returned unchanged. */
export function explainUnwritable(error: unknown, folder: string): unknown {
  const { code: told = '', syscall = '', message = '' } = error as Partial<NodeJS.ErrnoException>;
  const code = told === 'ENOENT' && syscall === 'mkdir' ? (codeAbove(folder) ?? told) : told;
  // initdb and the server have their own messages.
  const reason = /No space left on device/.test(message) ? REASONS.ENOSPC : REASONS[code];
  if (!reason || /^(spawn|kill)/.test(syscall)) return error;
  return new Error(`${folder} cannot be written to: ${reason}. To keep the data in another folder: DATA_DIR=/path/to/folder`, {
    cause: error,
  });
}

/**
 * On a read-only file system Node.js reports ENOENT for a folder that cannot be created; the nearest existing folder shows the real reason.
 */
function codeAbove(folder: string): string | undefined {
  let existing = path.resolve(folder);
  while (!fs.existsSync(existing)) existing = path.dirname(existing);
  try {
    fs.accessSync(existing, fs.constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
