import {
  type CreateNodeOptions,
  Document,
  type DocumentOptions,
  type ScalarTag,
  type SchemaOptions,
} from 'yaml';
import type { Manifest } from './manifest';

/** Characters that YAML cannot hold as they are, or that readers take for a line break. */
const UNPRINTABLE = /(?![\t\n])\p{Cc}|[\u2028\u2029\uFEFF\uFFFE\uFFFF]/gu;

/**
 * Texts that some reader of YAML takes for something else though the library would leave them plain: merge keys,
 * numbers with underscores or a signed octal (Go reads both), and blocks that begin with a tab or with lines of
 * nothing but spaces.
 */
const MISREAD = /^(?:=|<<|[-+]?0o[0-7]+|[-+.]*[\d_.]*_[\w.+-]*)$|(?:^|\n) *\t|^\n* +\n/;

const quotedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  // Matches nothing: of the tags that know a value, the library prefers those that have a test.
  test: /(?!)/,
  identify: (value) => typeof value === 'string' && (MISREAD.test(value) || value.search(UNPRINTABLE) >= 0),
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
  return formatDocuments(manifests, comment);
}

/** As `formatManifests`, for documents of any kind. */
export function formatDocuments(documents: readonly object[], comment: string): string {
  return `# ${comment}\n${documents.map(formatDocument).join('---\n')}`;
}

const OPTIONS: DocumentOptions & SchemaOptions & CreateNodeOptions = {
  version: '1.1',
  compat: 'core',
  aliasDuplicateObjects: false,
  customTags: (tags) => [quotedText, ...tags],
};

function formatDocument(document: object): string {
  return new Document(document, OPTIONS).toString({ lineWidth: 0 });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
