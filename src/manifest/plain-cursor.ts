const [SPACE, HASH, DASH] = [32, 35, 45];

/** What follows a value on its line: spaces and a comment. A text without quotes includes the spaces. */
const REST_OF_LINE = / *(?:(?<= )#[^\n]*)?(?=\n|$)/y;

/** A place in the lines of a plain document. */
export abstract class PlainCursor {
  /** The offset of the content of the current line, its column, which is -1 at the end, and the end of the line. */
  protected start = 0;
  protected indent = -1;
  protected lineEnd = 0;

  /** The offset behind what was read. */
  protected at = 0;

  constructor(
    protected readonly text: string,
    from: number,
    protected readonly end: number,
  ) {
    this.nextLine(from);
  }

  protected isAtEnd(): boolean {
    return this.indent === -1;
  }

  /** Goes to the next line with content. */
  protected nextLine(from: number): void {
    let lineStart = from;
    while (lineStart < this.end) {
      const newLine = this.text.indexOf('\n', lineStart);
      const lineEnd = newLine === -1 || newLine > this.end ? this.end : newLine;
      let at = lineStart;
      while (at < lineEnd && this.text.charCodeAt(at) === SPACE) at += 1;
      if (at < lineEnd && this.text.charCodeAt(at) !== HASH) {
        this.start = at;
        this.indent = at - lineStart;
        this.lineEnd = lineEnd;
        return;
      }
      lineStart = lineEnd + 1;
    }
    this.indent = -1;
  }

  /** Whether the current line starts an item of a list. */
  protected isItem(): boolean {
    const next = this.start + 1;
    return this.text.charCodeAt(this.start) === DASH && (next >= this.lineEnd || this.text.charCodeAt(next) === SPACE);
  }

  protected skipSpaces(): void {
    while (this.text.charCodeAt(this.at) === SPACE) this.at += 1;
  }

  protected endsLine(): boolean {
    REST_OF_LINE.lastIndex = this.at;
    return REST_OF_LINE.test(this.text);
  }

  /** Reads what a pattern matches here. */
  protected match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return undefined;
    const from = this.at;
    this.at = pattern.lastIndex;
    return this.text.slice(from, this.at);
  }
}
