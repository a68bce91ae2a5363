/** Makes the browser save a file, like a link with `download`. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has started reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
