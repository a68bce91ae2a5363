import { explainUnwritable } from '../src/unwritable.js';

const failure = (code: string, message = '', syscall = 'open') => Object.assign(new Error(message), { code, syscall });

test.each([
  ['EROFS', 'its file system is read-only'],
  ['EACCES', 'this user has no permission'],
  ['ENOSPC', 'no space is left on its disk'],
])('the error explains %s and names the setting for another folder', (code, words) => {
  expect(String(explainUnwritable(failure(code), '/data'))).toBe(
    `Error: /data cannot be written to: ${words}. To keep the data in another folder: DATA_DIR=/path/to/folder`,
  );
});

test('a full disk is recognized by the messages of initdb and the server', () => {
  const error = new Error('initdb failed: could not write to file "pg_wal/xlogtemp.7": No space left on device');
  expect(String(explainUnwritable(error, '/data'))).toContain('no space is left on its disk');
});

test.each([failure('EACCES', 'spawn postgres EACCES', 'spawn postgres'), failure('ECONNREFUSED'), new Error('other')])(
  '%s has nothing to do with the folder and is returned unchanged',
  (error) => {
    expect(explainUnwritable(error, '/data')).toBe(error);
  },
);
