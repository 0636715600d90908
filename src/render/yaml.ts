import { Document, type ScalarTag } from 'yaml';
import type { Manifest } from './manifest';

/**
 * Texts that some reader of YAML takes for something else though the library would leave them plain: merge keys,
 * numbers with underscores or a signed octal in Go, blocks whose first line begins with a tab, and characters
 * that must be escaped.
 */
const NEEDS_QUOTES =
  // biome-ignore lint: the ranges are the characters that YAML cannot hold as they are
  /^(?:=|<<|[-+]?0o[0-7]+|[-+.]*[\d_.]*_[\w.+-]*)$|(?:^|\n) *\t|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/;

const UNPRINTABLE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

const quotedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  // Matches nothing: of the tags that know a value, the library prefers those that have a test.
  test: /(?!)/,
  identify: (value) => typeof value === 'string' && NEEDS_QUOTES.test(value),
  resolve: (text) => text,
  stringify: ({ value }) => JSON.stringify(value).replace(UNPRINTABLE, escaped),
};

/**
 * Manifests as one text: a comment, then one YAML document each. Reads back the same under YAML 1.1, which
 * Kubernetes uses, and 1.2. No anchors, no folded lines, keys in the order in which they were built.
 *
 * @param comment the first line, without `#`
 */
export function formatManifests(manifests: readonly Manifest[], comment: string): string {
  return `# ${comment}\n${manifests.map(formatDocument).join('---\n')}`;
}

function formatDocument(manifest: Manifest): string {
  const options = {
    version: '1.1',
    compat: 'core',
    aliasDuplicateObjects: false,
    customTags: (tags) => [quotedText, ...tags],
  } as const satisfies ConstructorParameters<typeof Document>[1] & object;
  return new Document(manifest, options).toString({ lineWidth: 0 });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
