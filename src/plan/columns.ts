/** Between two columns. */
const GAP = '  ';

/** Amounts, bounds and lists of them, and what nobody knows. */
const NUMBERS = /^(?:unknown|[\d.,~+-])*$/;

/** A column of words is not made narrower. */
const NARROWEST = 8;

/**
 * Rows as lines of aligned columns, two spaces apart; columns of numbers to the right.
 *
 * @param room columns of the terminal: where they are fewer, the widest columns of words are cut. Absent: none is
 */
export function columns(rows: readonly (readonly string[])[], room?: number): string[] {
  const [head = [], ...body] = rows;
  const natural = head.map((_, c) => rows.reduce((most, row) => Math.max(most, (row[c] ?? '').length), 0));
  const numeric = natural.map((_, c) => body.every((row) => NUMBERS.test(row[c] ?? '')));
  const widths = narrowed(natural, numeric, room);
  return rows.map((row) =>
    row
      .map((cell, c) => {
        const width = widths[c] ?? 0;
        return numeric[c] ? cell.padStart(width) : cut(cell, width).padEnd(width);
      })
      .join(GAP)
      .trimEnd(),
  );
}

function narrowed(natural: readonly number[], numeric: readonly boolean[], room = Infinity): number[] {
  const widths = [...natural];
  const taken = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
  for (let over = taken - room; over > 0; over--) {
    const words = widths.map((width, c) => (numeric[c] ? 0 : width));
    const widest = Math.max(...words);
    if (widest <= NARROWEST) break;
    widths[words.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function cut(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width - 1)}…` : cell;
}
