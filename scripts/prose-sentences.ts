import { withoutCode } from './prose-rules';
import type { Prose } from './prose-sources';

/** More words than these are two ideas, or a list. */
const LONGEST = 40;

/** The sentences of a page that are too long, as `file:line: what`. */
export function findLongSentences(lines: readonly Prose[]): string[] {
  return paragraphsOf(lines).flatMap(({ file, line, text }) =>
    sentencesOf(text).flatMap((sentence) => {
      const words = countWords(sentence);
      const start = sentence.split(' ').slice(0, 6).join(' ');
      return words > LONGEST
        ? [`${file}:${line}: a sentence of ${words} words ('${start} ...'). Write at most ${LONGEST}, or a list`]
        : [];
    }),
  );
}

/** A list item, a heading, a cell of a table and a quotation begin a text of their own; other lines continue the one before. */
function paragraphsOf(lines: readonly Prose[]): Prose[] {
  const found: Prose[] = [];
  let previous: Prose | undefined;
  for (const line of lines) {
    const continues = previous?.file === line.file && previous.line === line.line - 1 && isText(previous.text);
    const text = line.text.trim();
    const last = found.at(-1);
    if (last && continues && isText(line.text) && !STARTS_TEXT.test(text)) {
      found[found.length - 1] = { ...last, text: `${last.text} ${text}` };
    } else {
      const texts = text.startsWith('|') ? text.split(/(?<!\\)\|/) : [text];
      found.push(...texts.map((cell) => ({ ...line, text: cell })));
    }
    previous = line;
  }
  return found;
}

const STARTS_TEXT = /^([-*] |\d+\. |#|>)/;

function isText(line: string): boolean {
  return line.trim() !== '' && !/^\s*[|#]/.test(line);
}

/** A list of nothing but links is read link by link. */
function sentencesOf(text: string): string[] {
  if (/^\s*\[[^\]]*\]\([^)]*\)(, \[[^\]]*\]\([^)]*\))+\s*$/.test(text)) return [];
  return withoutCode(text).split(/(?<=[.?!]["')*\]]*)\s+/);
}

/** A span of code is one word, however long. */
function countWords(sentence: string): number {
  return sentence
    .replaceAll('`', 'code')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
