/** The lines of a stream, without what follows the last line break. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const [reader, decoder] = [stream.getReader(), new TextDecoder()];
  let unfinished = '';
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const lines = (unfinished + decoder.decode(next.value, { stream: true })).split('\n');
      unfinished = lines.pop()!;
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The records of a stream of NDJSON. */
export async function* recordsOf<T>(stream: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  for await (const line of linesOf(stream)) yield JSON.parse(line) as T;
}
