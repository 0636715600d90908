/** A fence that no line closes. */
export function fenceFor(lines: readonly string[]): string {
  return '`'.repeat(lines.reduce((longest, line) => Math.max(longest, longestRun(line) + 1), 3));
}

/** Text as code, whatever it holds. */
export function code(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1);
  const line = text.replace(/\s+/g, ' ');
  const space = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${space}${line}${space}${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Text that means itself, also what looks like markup, a mention or the end of a line. */
export function escaped(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>()#|@~]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`));
}
