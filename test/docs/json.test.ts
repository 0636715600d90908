import { readdirSync, readFileSync } from 'node:fs';
import { OUTPUT_DOCUMENTS } from '../../scripts/output-documents';
import { SMALL, Workspace } from '../cli/cli';

const PAGE = readFileSync('docs/json.md', 'utf8');

const work = new Workspace().write({ 'f/f.yaml': SMALL });
afterAll(() => work.remove());

/** The kinds of the documents that commands print. */
function printedKinds(): string[] {
  const files = readdirSync('src/cli', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const source = files.map((name) => readFileSync(`src/cli/${name}`, 'utf8')).join('\n');
  const found = [...source.matchAll(/(?:printResult(?:<\w+>)?|outDocument)\(\s*'(?<kind>\w+)'/g)];
  return [...new Set(found.flatMap(({ groups }) => groups?.['kind'] ?? []))].sort();
}

/** The rows of the page about a document: those that begin with its kind, those below, and its own section. */
function rowsOf(kind: string): string {
  const lines = PAGE.split('\n');
  const own = lines.flatMap((line, i) => {
    if (!line.startsWith(`| \`${kind}\` |`)) return [];
    const end = lines.findIndex((next, j) => j > i && !next.startsWith('| |'));
    return lines.slice(i, end);
  });
  const section = new RegExp(`^#+ ${kind}$(?<text>[^]*?)^#`, 'm').exec(PAGE)?.groups?.['text'] ?? '';
  return [...own, section].join('\n');
}

/** The names of fields in a text. */
function namesIn(text: string): string[] {
  const codes = [...text.matchAll(/`(?<code>[a-z][\w.[\]?]*)`/gi)].map(({ groups }) => groups?.['code'] ?? '');
  return codes.map((code) => code.replace(/^\./, '').replaceAll(/[[\]?]/g, ''));
}

test('every kind of document that a command prints is on the page', () => {
  const kinds = printedKinds();
  expect(kinds).toContain('GatewayExplanation');
  expect(kinds.filter((kind) => !PAGE.includes(`\`${kind}\``))).toEqual([]);
});

test('every document with a schema is in the reference, which its row names', () => {
  const reference = readFileSync('docs/reference/json.md', 'utf8');
  for (const name of Object.keys(OUTPUT_DOCUMENTS)) expect(reference).toContain(`(../../schema/${name}.json)`);
});

const GATEWAYS = 'examples/failover-to-saas';

/** A command for each document without a schema, with all that it can have. */
const RUNS: readonly (readonly [kind: string, command: string])[] = [
  ['Lock', 'lock ./f'],
  ['LockCheck', 'lock ./f --check'],
  ['Synth', 'synth examples/cache --out ./out'],
  ['Explanation', 'explain ml/q ./f'],
  ['Explanation', 'explain ml/chat examples/one-line-model'],
  ['ClusterExplanation', 'explain us ./f'],
  ['ServiceExplanation', `explain team-a/chat ${GATEWAYS}`],
  ['GatewayExplanation', `explain gateway/public ${GATEWAYS}`],
  ['CacheExplanation', 'explain cache/search/embeddings examples/cache'],
  ['ClassExplanation', 'explain class/h100 ./f'],
  ['FieldExplanation', 'explain Fleet.spec'],
  ['NewFleet', 'init ./new --clouds gke --gpus l4'],
  ['Migration', 'migrate ./f --from modelplane --check'],
  ['Models', 'model qwen3-8b'],
  ['Catalog', 'catalog p5.48'],
  ['Export', 'export ./f'],
  ['Validation', 'validate ./f'],
  ['Problems', 'validate ./missing'],
];

const PRINTED = new Map<string, Readonly<Record<string, unknown>>>();

/** What a command prints. Each runs once. */
function run(command: string): Readonly<Record<string, unknown>> {
  const printed = PRINTED.get(command) ?? (JSON.parse(work.run(`${command} --json`).out) as Record<string, unknown>);
  PRINTED.set(command, printed);
  return printed;
}

test.each(RUNS)('the page names every field of %s that `%s` prints', (kind, command) => {
  const { kind: found, version: _, ...fields } = run(command);
  expect(found).toBe(kind);
  const named = new Set(namesIn(rowsOf(kind)).map((name) => name.split('.')[0]));
  expect(Object.keys(fields).filter((key) => !named.has(key))).toEqual([]);
});

test('every field that the page names, unless it is optional, is one', () => {
  const schemas = Object.keys(OUTPUT_DOCUMENTS).map((name) => readFileSync(`schema/${name}.json`, 'utf8'));
  const known = new Set([
    ...RUNS.flatMap(([, command]) => keysIn(run(command))),
    ...schemas.flatMap((text) => keysIn(JSON.parse(text))),
  ]);
  const kinds = new Set(RUNS.map(([kind]) => kind));
  const named = [...kinds].flatMap((kind) => namesIn(rowsOf(kind).replaceAll(/`[^`]*\?`/g, '')));
  const unknown = named.flatMap((name) => name.split('.')).filter((name) => !known.has(name) && !kinds.has(name));
  expect(unknown).toEqual([]);
});

function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}
