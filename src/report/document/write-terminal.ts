import { alignColumns } from './columns';
import type { Block, Item, Text } from './document';
import { PLAIN_STYLE, type Style } from './terminal-style';

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
