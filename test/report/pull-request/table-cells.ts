/** The cells of the first row of a comment that begins with `start`, by the titles of its table. */
export function readCells(comment: string, start: string): Readonly<Record<string, string>> {
  const lines = comment.split('\n');
  const at = lines.findIndex((line) => line.startsWith(start));
  const titles = lines.slice(0, Math.max(at, 0)).findLast((line) => line.startsWith('| deployment |'));
  const cells = splitRow(lines[at] ?? '');
  return Object.fromEntries(splitRow(titles ?? '').map((title, column) => [title, cells[column] ?? '']));
}

function splitRow(line: string): string[] {
  return line.replace(/^\| /, '').replace(/ \|$/, '').split(' | ');
}
