/** Runs the startup of a process. If it fails, the process exits with one clear line on stderr, because there is no logger yet. */
export async function exitOnFailure(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${name} cannot start. ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
