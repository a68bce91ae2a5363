/** Rows as aligned columns. */
export function columns(rows: readonly (readonly string[])[], indent = '  '): string {
  const widths = rows.reduce<number[]>((widest, row) => row.map((cell, i) => Math.max(cell.length, widest[i] ?? 0)), []);
  const padded = rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '));
  return padded.map((line) => indent + line.trimEnd()).join('\n');
}
