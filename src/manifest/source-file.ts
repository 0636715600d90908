import { bisectLast } from '../base/order';

/** One file of manifests, as read. */
export interface SourceFile {
  /** The path as the user typed it, or `-` for standard input. */
  readonly path: string;

  /** The whole content. */
  readonly text: string;
}

/** A file whose offsets can be turned into places. */
export interface SourceText extends SourceFile {
  /** `path:line:column` of an offset into `text`; lines and columns count from 1. */
  readonly place: (offset: number) => string;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Prepares a file for parsing: drops a byte order mark, and finds its lines when the first place is asked for. */
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
