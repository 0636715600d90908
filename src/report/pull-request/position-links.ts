import type { CreateLink } from './edit-list';

/** A position in escaped text: `fleet/my\_models.yaml:3:5`. */
const POSITION = /(?<![^\s`()[\]])(?:\\[^\s`()[\]]|[^\s\\`()[\]])+:\d+:\d+/g;

const CODE = /(`[^`]*`)/;

/** Makes links of the positions in lines of Markdown, but for those in code. Those without an address stay as they are. */
export function linkPositions(lines: readonly string[], linkOf: CreateLink | undefined): readonly string[] {
  return linkOf ? lines.map((line) => linkLine(line, linkOf)) : lines;
}

function linkLine(line: string, linkOf: CreateLink): string {
  const parts = line.split(CODE).map((part) => {
    if (part.startsWith('`')) return part;
    return part.replace(POSITION, (text) => {
      const link = linkOf(text.replaceAll(/\\(.)/g, '$1'));
      return link === undefined ? text : `[${text}](${link})`;
    });
  });
  return parts.join('');
}
