import { NotPlain } from './plain-scalars';

const HEADER = /\|-?(?=\n)/y;

/** Whether a text of several lines starts at an offset: `|` or `|-` at the end of its line. */
export function startsLiteral(text: string, at: number, lineEnd: number): boolean {
  HEADER.lastIndex = at;
  return text[at] === '|' && HEADER.test(text) && HEADER.lastIndex === lineEnd;
}

/** The lines of a text of several lines, and the offset of the line behind it. */
interface Literal {
  readonly value: string;
  readonly next: number;
}

/** Reads the text whose `|` is at an offset. Its lines are indented below `indent`, and end with a new line. */
export function readLiteral(text: string, at: number, { indent, end }: { indent: number; end: number }): Literal {
  const header = text.indexOf('\n', at);
  const lines: string[] = [];
  let column = -1;
  let from = header + 1;
  while (from < end) {
    const newLine = text.indexOf('\n', from);
    if (newLine === -1 || newLine >= end) throw new NotPlain();
    const line = text.slice(from, newLine);
    const content = line.search(/[^ ]/);
    if (content === -1 && (line !== '' || column === -1)) throw new NotPlain();
    if (content !== -1 && content <= indent) break;
    if (column === -1) column = content;
    if (content !== -1 && content < column) throw new NotPlain();
    lines.push(line.slice(column));
    from = newLine + 1;
  }
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) throw new NotPlain();
  return { value: `${lines.join('\n')}${text[header - 1] === '-' ? '' : '\n'}`, next: from };
}
