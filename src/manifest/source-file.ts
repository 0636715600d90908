import { bisectLast } from '../base/order';

/** The path and the text of an input file. */
export interface SourceFile {
  /** The path as the user wrote it, or `-` for standard input. */
  readonly path: string;

  /** The complete content. */
  readonly text: string;
}

/** An input file that converts offsets to positions. */
export interface SourceText extends SourceFile {
  /** The position of an offset in `text`: `path:line:column`. Lines and columns count from 1. */
  readonly place: (offset: number) => string;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Prepares a file for parsing: removes a byte order mark, and indexes the lines on the first call of `place`. */
export function openSource(file: SourceFile): SourceText {
  const text = file.text.startsWith(BYTE_ORDER_MARK) ? file.text.slice(1) : file.text;
  let starts: readonly number[] | undefined;
  return {
    path: file.path,
    text,
    place(offset) {
      starts ??= lineStarts(text);
      const line = bisectLast(starts.length, (index) => (starts?.[index] ?? 0) <= offset);
      return `${file.path}:${line + 1}:${offset - (starts[line] ?? 0) + 1}`;
    },
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
