/** Rows as lines of aligned columns, two spaces apart; columns of numbers to the right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, c) => Math.max(...rows.map((row) => (row[c] ?? '').length)));
  const numeric = widths.map((_, c) => rows.slice(1).every((row) => /^[\d.~-]*$/.test(row[c] ?? '')));
  return rows.map((row) =>
    row
      .map((cell, c) => (numeric[c] ? cell.padStart(widths[c] ?? 0) : cell.padEnd(widths[c] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
