import { posix } from 'node:path';

interface Token {
  type: string;
  tag: string;
  info: string;
  markup: string;
  readonly children?: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** What Markdown is rendered with, as far as it counts here. */
export interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: Token[]; env: { relativePath?: string } }) => void): void;
    };
  };
}

/**
 * Draws blocks by indentation as blocks of text between fences: the theme has no other. Of what follows a fence, only
 * the language counts: the theme takes a number in the rest for a line to mark.
 */
export function normalizeBlocks(markdown: Markdown): void {
  markdown.core.ruler.push('normalize-blocks', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'code_block')
        Object.assign(token, { type: 'fence', tag: 'code', info: 'text', markup: '```' });
      if (token.type === 'fence') token.info = token.info.split(' ')[0] ?? '';
    }
  });
}

/** Makes links to files outside `docs` links to the repository: the site does not have these files. */
export function linkRepository(markdown: Markdown, repository: string): void {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const folder = posix.join('docs', posix.dirname(env.relativePath ?? ''));
    for (const link of tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open')) {
      const target = repositoryPath(folder, link.attrGet('href') ?? '');
      if (target !== undefined) link.attrSet('href', `${repository}/blob/main/${target}`);
    }
  });
}

/** The path in the repository that a link leads to. Undefined for links to pages of the site and to other sites. */
function repositoryPath(folder: string, href: string): string | undefined {
  if (!href.startsWith('..')) return undefined;
  const path = posix.join(folder, href);
  return path === 'docs' || path.startsWith('docs/') ? undefined : path;
}
