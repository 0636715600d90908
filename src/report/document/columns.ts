const COLUMN_SEPARATOR = '  ';

/** Matches cells with amounts, bounds, lists of them, or `unknown`. */
const NUMERIC_CELL = /^(?:unknown|[\d.,~+-])*$/;

/** The minimum width of a truncated column of words. */
const MIN_WORD_WIDTH = 8;

/**
 * Formats rows as lines of aligned columns, separated by two spaces. Columns of numbers are right-aligned.
 *
 * @param room the columns of the terminal: wider tables get their widest columns of words truncated. Absent: no limit
 */
export function alignColumns(rows: readonly (readonly string[])[], room?: number): string[] {
  const [head = [], ...body] = rows;
  const natural = head.map((_, c) => rows.reduce((most, row) => Math.max(most, (row[c] ?? '').length), 0));
  const numeric = natural.map((_, c) => body.every((row) => NUMERIC_CELL.test(row[c] ?? '')));
  const widths = narrowWidths(natural, numeric, room);
  return rows.map((row) =>
    row
      .map((cell, c) => {
        const width = widths[c] ?? 0;
        return numeric[c] ? cell.padStart(width) : truncateCell(cell, width).padEnd(width);
      })
      .join(COLUMN_SEPARATOR)
      .trimEnd(),
  );
}

function narrowWidths(natural: readonly number[], numeric: readonly boolean[], room = Infinity): number[] {
  const widths = [...natural];
  const taken = widths.reduce((sum, width) => sum + width, COLUMN_SEPARATOR.length * (widths.length - 1));
  for (let over = taken - room; over > 0; over--) {
    const words = widths.map((width, c) => (numeric[c] ? 0 : width));
    const widest = Math.max(...words);
    if (widest <= MIN_WORD_WIDTH) break;
    widths[words.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function truncateCell(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell;
}
