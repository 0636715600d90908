import { stripVTControlCharacters } from 'node:util';

/**
 * Lines that are broken between words where they are longer than a terminal is wide, the rest indented below. A word
 * that is longer stays whole, as names and places are copied.
 *
 * @param width columns of the terminal; absent: lines stay as they are
 */
export function fitted(text: string, width: number | undefined): string {
  if (width === undefined || width < NARROWEST) return text;
  return text
    .split('\n')
    .flatMap((line) => (lengthOf(line) > width ? broken(line, width) : [line]))
    .join('\n');
}

/** In less room indented lines would be words below each other. */
const NARROWEST = 40;

function broken(line: string, width: number): string[] {
  const plain = stripVTControlCharacters(line);
  const indent = ' '.repeat(Math.min(width / 2, plain.length - plain.trimStart().length + 4));
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<=\S)(?= +\S)/)) {
    if (current !== '' && lengthOf(current) + lengthOf(word) > width) {
      lines.push(current);
      current = indent + word.trimStart();
    } else current += word;
  }
  return [...lines, current];
}

/** Colours take no room. */
function lengthOf(text: string): number {
  return stripVTControlCharacters(text).length;
}
