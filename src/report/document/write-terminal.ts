import type { Block, Item, Style, Text } from './document';

const unchanged = (text: string): string => text;

export const PLAIN_STYLE: Style = {
  add: unchanged,
  remove: unchanged,
  change: unchanged,
  warn: unchanged,
  strong: unchanged,
  faint: unchanged,
};

interface Print {
  readonly style?: Style;

  /** The columns of the terminal, for tables. Absent: cells are never truncated. */
  readonly width?: number | undefined;
}

/** Formats a document as text for a terminal; as plain text if there is no style. */
export function writeTerminal(blocks: readonly Block[], print: Print = {}): string {
  return terminalLines(blocks, print).join('\n');
}

export function terminalLines(blocks: readonly Block[], print: Print = {}, indent = ''): string[] {
  const { style = PLAIN_STYLE, width } = print;
  const widths: number[] = [];
  for (const { cells = [] } of blocks.filter(isItem)) {
    cells.forEach((cell, c) => (widths[c] = Math.max(widths[c] ?? 0, cell.length)));
  }
  return blocks.flatMap((block) => {
    if (typeof block === 'string') return block === '' ? '' : indent + block;
    if ('blocks' in block) return terminalLines(block.blocks, print, indent + ' '.repeat(block.indent));
    if ('rows' in block) {
      return alignColumns(block.rows, width).map((line, row) => (row === 0 ? style.strong(line) : line));
    }
    const { text, mark, look = mark?.look, cells = [], below = [] } = block;
    const label = cells.map((cell, c) => `${cell.padEnd(widths[c] ?? 0)}   `).join('');
    const line = `${indent}${mark ? `${mark.sign} ` : ''}${label}${styled(text, style)}`;
    return [
      look ? style[look](line) : line,
      // A mark takes two columns, so lines below a marked line are indented by two more.
      ...terminalLines(below, print, `${indent}${mark ? '    ' : '  '}`),
    ];
  });
}

function isItem(block: Block): block is Item {
  return typeof block !== 'string' && 'text' in block;
}

function styled(text: Text, style: Style): string {
  if (typeof text === 'string') return text;
  return text.map((part) => (typeof part === 'string' ? part : style[part.look](part.text))).join('');
}

const COLUMN_SEPARATOR = '  ';

/** Matches cells with amounts, bounds, lists of them, or `unknown`. */
const NUMERIC_CELL = /^(?:unknown|\u2265 |[\d.,~+$<-]| [A-Z]{3})*$/;

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
