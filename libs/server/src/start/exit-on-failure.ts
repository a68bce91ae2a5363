/** Runs the startup of a process. If it fails, the process exits with one clear line on stderr, because there is no logger yet. */
export async function exitOnFailure(name: string, work: () => Promise<void>, failed = 'cannot start'): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${name} ${failed}. ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
