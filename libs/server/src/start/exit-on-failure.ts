/** Runs the start of a process; a fault ends it with one clear line, because there is no logger yet. */
export async function exitOnFailure(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${name} cannot start. ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
