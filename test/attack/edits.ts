import { parseAllDocuments, stringify } from 'yaml';
import { bytesOf, type Content, type Files, textOf } from './files';
import { mutateText } from './mutate/texts';
import { mutateTree } from './mutate/trees';
import type { Random } from './random';

/** One change of the files of an input, with a name for people. */
export interface Edited {
  readonly files: Files;
  readonly name: string;
}

/** Names that a file of a stranger could have. */
const HOSTILE_NAMES: readonly string[] = [
  '::stop-commands::x.yaml',
  'a\u202Eb.yaml',
  'two\nlines.yaml',
  '\u001B[31m.yaml',
  '-rf.yaml',
  '--lock.yaml',
  '@admin #1.yaml',
  '<b>.yaml',
  'a b;c.yaml',
  '%0A.yaml',
  `${'n'.repeat(200)}.yaml`,
  'deep/er/fleet.yaml',
];

/** Where a file of a stranger could lead. */
const HOSTILE_LINKS: readonly string[] = ['/etc/passwd', '..', '.', 'fleet.yaml', '/dev/zero', '/proc/self', 'nowhere'];

/** Commands of a cdk8s.yaml. None of them depends on the input. */
const PROGRAMS: readonly unknown[] = [
  'true',
  'exit 3',
  'kill -9 $$',
  'head -c 3000000 /dev/zero | tr "\\0" x; exit 1',
  'printf "\\033[31m::error::\\n  at f (a.ts:1:1)\\n"; exit 1',
  'printf "\\0\\377" > "$FLEETWRIGHT_EMIT"',
  'head -c 3000000 /dev/zero > "$FLEETWRIGHT_EMIT"',
  'mkdir "$FLEETWRIGHT_EMIT"',
  'ln -s /dev/zero "$FLEETWRIGHT_EMIT"',
  '',
  null,
  7,
  ['true'],
  'a\u0000b',
  'x'.repeat(200_000),
];

/** Changes files of the fleet, of a kubeconfig or of a saved plan; drawn at random. */
export function edit(files: Files, only: (path: string) => boolean, random: Random): Edited {
  const paths = Object.keys(files).filter(only);
  const path = random.pick(paths);
  const content = files[path] ?? '';
  if (path.endsWith('cdk8s.yaml')) return editProgram(files, path, random);
  if (path.startsWith('fleet/') && random.chance(0.06)) return editName(files, path, random);
  const { content: changed, name } = editContent(path, content, random);
  return { files: { ...files, [path]: changed }, name: `${path}: ${name}` };
}

function editContent(path: string, content: Content, random: Random): { content: Content; name: string } {
  if (typeof content !== 'string') return { content, name: 'nothing' };
  const isLock = path.endsWith('.lock.yaml');
  if (random.chance(isLock ? 0.15 : 0.65)) {
    const tree = editTree(path, content, random);
    if (tree) return tree;
  }
  const { text, name } = mutateText(content, random);
  return { content: text, name };
}

/** Changes one document of a file as plain data. Undefined where an earlier edit left no data. */
function editTree(path: string, content: string, random: Random): { content: string; name: string } | undefined {
  const documents = parseDocuments(textOf(content));
  if (documents.length === 0) return undefined;
  const at = random.below(documents.length);
  const { root, name } = mutateTree(documents[at], random);
  // JSON keeps what YAML would write otherwise: lone surrogates, long lines, order.
  const asJson = path.endsWith('.json') || random.chance(0.3);
  const texts = documents.with(at, root).map((one) => (asJson ? `${JSON.stringify(one, undefined, 1)}\n` : yaml(one)));
  return { content: bytesOf(texts.join('---\n')), name };
}

function parseDocuments(text: string): unknown[] {
  try {
    return parseAllDocuments(text, { logLevel: 'silent' }).map((one) => one.toJS({ maxAliasCount: 100 }) as unknown);
  } catch {
    return [];
  }
}

function yaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });
}

function editProgram(files: Files, path: string, random: Random): Edited {
  const app = random.pick(PROGRAMS);
  return {
    files: { ...files, [path]: bytesOf(stringify({ app })) },
    name: `${path}: the program ${JSON.stringify(app)}`,
  };
}

function editName(files: Files, path: string, random: Random): Edited {
  const { [path]: content = '', ...others } = files;
  if (random.chance(0.4)) {
    const link = random.pick(HOSTILE_LINKS);
    return { files: { ...others, [path]: { link } }, name: `${path}: a link to ${link}` };
  }
  const name = random.pick(HOSTILE_NAMES);
  return { files: { ...others, [`fleet/${name}`]: content }, name: `${path}: is called ${JSON.stringify(name)}` };
}
