import { readFileSync } from 'node:fs';
import { type CodeBlock, listMarkdown, readBlocks } from '../../scripts/docs-page';

const PAGES = ['README.md', 'CONTRIBUTING.md', ...listMarkdown('docs').filter((path) => !path.startsWith('docs/api/'))];

/** A block of code with its page and line. */
export interface Found extends CodeBlock {
  readonly at: string;
}

/** The blocks of code of all pages. */
export const BLOCKS: readonly Found[] = PAGES.flatMap((page) =>
  readBlocks(readFileSync(page, 'utf8')).map((block) => ({ ...block, at: `${page}:${block.line}` })),
);

/** A row for each block of a language. */
export function rows(...languages: string[]): [string, Found][] {
  return BLOCKS.filter(({ language }) => languages.includes(language)).map((block) => [block.at, block]);
}
