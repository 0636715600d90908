import { readFileSync } from 'node:fs';
import { parseAllDocuments, stringify } from 'yaml';
import { type CodeBlock, listMarkdown, readBlocks } from '../../scripts/docs-page';
import { followedPages } from '../../scripts/docs-steps';
import { Workspace } from '../cli/cli';
import { isMap, isOwn, type Value, wholeOf } from './excerpts';

// Blocks of pages that are not followed step by step are planned one by one, as a part of one fleet.

const FLEET = readFileSync('test/docs/fleet.yaml', 'utf8');

interface Found extends CodeBlock {
  readonly page: string;
  readonly at: string;
}

const followed = new Set(followedPages());
const BLOCKS: readonly Found[] = listMarkdown('docs')
  .filter((page) => !page.startsWith('docs/api/') && !followed.has(page))
  .flatMap((page) => {
    const blocks = readBlocks(readFileSync(page, 'utf8')).filter(({ language }) => language === 'yaml');
    return blocks.map((block) => ({ ...block, page, at: `${page}:${block.line}` }));
  });

/** Files that declarations name, by the schema in the first line of the block that shows one. */
const FILES: Readonly<Record<string, string>> = {
  'catalogue.json': 'catalogue.yaml',
  'policies.json': 'policy.yaml',
  'prices.json': 'prices.yaml',
  'scenarios.json': 'scenarios.yaml',
};

function documentsOf({ lines }: CodeBlock): Value[] {
  const values = parseAllDocuments(lines.join('\n')).map((document): unknown => document.toJS());
  return values
    .filter(isMap)
    .filter((value) => !('runtime' in value) && (value['apiVersion'] === undefined || isOwn(value)));
}

/** The name of the file that a block shows. Undefined for declarations. */
function fileOf({ lines: [first = ''] }: CodeBlock): string | undefined {
  return FILES[/\$schema=\S+schema\/(\S+)/.exec(first)?.[1] ?? ''] ?? /^# (\w+\.yaml)$/.exec(first)?.[1];
}

const rows = BLOCKS.filter((block) => fileOf(block) === undefined)
  .map((block) => ({ ...block, documents: documentsOf(block) }))
  .filter(({ documents }) => documents.length > 0);

/** A cluster without pods. */
const SNAPSHOT = { name: 'snapshots/*.yaml', lines: ['apiVersion: v1', 'kind: List', 'items: []'] };

/** What a page says of its clusters, where it says it. */
const CLUSTERS: Readonly<Record<string, Value>> = {
  'docs/provisioning.md': {
    cluster: { source: 'AKS', aks: { location: 'eastus2' } },
    nodePools: [{ name: 'h100', className: 'azure-h100', nodeCount: 1 }],
  },
};

const work = new Workspace();
afterAll(() => work.remove());

test.each(rows)('the fleet plans with $at', ({ page, documents }) => {
  const base = parseAllDocuments(FLEET).map((document) => document.toJS() as Value);
  const cluster = CLUSTERS[page];
  const given = cluster ? include(base, { kind: 'InferenceCluster', spec: cluster }) : base;
  const text = documents
    .map(wholeOf)
    .reduce(include, given)
    .map((one) => stringify(one))
    .join('---\n');
  const shown = BLOCKS.filter((block) => block.page === page).map((block) => ({ ...block, name: fileOf(block) ?? '' }));
  const files = [...shown, SNAPSHOT].filter(({ name }) => name !== '' && text.includes(`/${name}`));
  work.remove();
  work.write({ 'fleet/fleet.yaml': text });
  for (const { name, lines } of files)
    work.write({ [`fleet/${name.replace('*', 'us-east')}`]: `${lines.join('\n')}\n` });
  const { code, err } = work.run('plan ./fleet --quiet');
  // A shortfall is a plan too: an excerpt may ask for hardware that the fleet lacks.
  expect([0, 3].includes(code) ? '' : err).toBe('');
});

/** Puts an excerpt into the first declaration of its kind, or into the one of its name. Adds a declaration of a new name. */
function include(fleet: readonly Value[], declared: Value): readonly Value[] {
  const name = nameOf(declared);
  const at = fleet.findIndex((one) => one['kind'] === declared['kind'] && (name ?? nameOf(one)) === nameOf(one));
  const whole = name === undefined ? (merge(fleet[at], declared) as Value) : declared;
  return at === -1 ? [...fleet, declared] : fleet.with(at, whole);
}

function nameOf({ metadata }: Value): unknown {
  return isMap(metadata) ? metadata['name'] : undefined;
}

/** The fields of both, and of lists the items of both, by their place. */
function merge(old: unknown, is: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(is)) return is.map((item, i) => merge(old[i], item));
  if (!isMap(old) || !isMap(is)) return is;
  // A model stands in place of the engines.
  const { template, ...rest } = old;
  if ('model' in is && template !== undefined) return { ...rest, ...is };
  return { ...old, ...Object.fromEntries(Object.entries(is).map(([name, value]) => [name, merge(old[name], value)])) };
}
