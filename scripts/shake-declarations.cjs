/**
 * Leaves out of the compiler's declarations what the types of entry points do not name, which no program can import: most
 * functions, and the constants next to types.
 */
const { dirname, posix } = require('node:path');

/** Where a statement of a file of declarations begins, with the comment above it. */
const STATEMENT = /^(?=\/\*\*|(?:import|export|declare|interface|type|class)\b)/m;

const BEGUN = /^(?:import|export|declare|interface|type|class)\b/;

const COMMENT = /\/\*\*[\s\S]*?\*\//g;

/** `export declare function read(`, `interface Plan {`. */
const DECLARED = /^(?:export )?(?:declare )?(?:abstract )?(?:function|interface|type|class|namespace|enum) (\w+)/;

/** The names of `export declare const a: string, b = 1`, and more. */
const CONSTANTS = /(?:^(?:export )?(?:declare )?(?:const|let)|,)\s+(\w+)(?::| =)/g;

/** `import type { A, B as C } from './file'`, and the same of exports. */
const FROM = /^(?<verb>import|export)(?<type> type)? \{(?<names>[^}]*)\} from '(?<path>[^']+)'/;

/** `import './file'`, `export * from './file'`, `export type * as name from './file'`. */
const WHOLE = /^(?:import|export (?:type )?\*(?: as \w+)? from) '(?<path>\.[^']+)'/;

const NAME = /\w+/g;

/** `import('./file').Name`, which the compiler writes for types that it has found itself. */
const INLINE = /import\(['"](\.[^'"]+)['"]\)(?:\.(\w+))?/g;

/** All that a file has. */
const ALL = '*';

/**
 * The texts of what entry points reach, by name such as `src/index.d.ts`.
 *
 * @param {readonly string[]} entries
 * @param {(name: string) => string | undefined} read the text of a file. Undefined: there is no such file
 */
module.exports = function shakeDeclarations(entries, read) {
  const files = new Map();
  const texts = new Map();
  const readOnce = (name) => {
    if (!texts.has(name)) texts.set(name, read(name));
    return texts.get(name);
  };
  const open = (name) => {
    const locate = (path) => resolve(name, path, readOnce);
    if (!files.has(name)) files.set(name, parse(readOnce(name) ?? '', locate));
    return files.get(name);
  };
  const wanted = entries.map((name) => ({ name, what: ALL }));
  const seen = new Set();
  for (const { name, what } of wanted) {
    const key = `${name} ${what}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const file = open(name);
    for (const statement of file.statements) if (what === ALL || statement.names.has(what)) keep(statement, file);
    wanted.push(...file.takeUses().map((use) => ({ name, ...use })));
  }
  const reached = [...files].filter(([name, { kept }]) => kept.size > 0 || seen.has(`${name} ${ALL}`));
  return new Map(reached.map(([name, file]) => [name, format(file)]));
};

function keep(statement, file) {
  if (file.kept.has(statement)) return;
  file.kept.add(statement);
  file.uses.push(...statement.uses(file));
}

function parse(text, locate) {
  const statements = joinComments(text.split(STATEMENT)).map((one) => toStatement(one, locate));
  const imports = statements.filter(({ isImport }) => isImport);
  const imported = new Map(imports.flatMap(({ bindings }) => bindings.map((one) => [one.local, one])));
  return {
    imports,
    imported,
    statements: statements.filter(({ isImport }) => !isImport),
    kept: new Set(),
    uses: [],
    takeUses() {
      return this.uses.splice(0);
    },
  };
}

/** A comment belongs to what stands below it: to a statement, or to the next part of a type. */
function joinComments(parts) {
  const joined = [];
  let above = '';
  for (const part of parts) {
    above += part;
    const code = above.replaceAll(COMMENT, '').trim();
    if (code === '') continue;
    if (BEGUN.test(code)) joined.push(above);
    else joined[joined.length - 1] += above;
    above = '';
  }
  return joined;
}

function toStatement(text, locate) {
  const code = text.replaceAll(COMMENT, '').trim();
  const { verb, names = '', path } = FROM.exec(code)?.groups ?? {};
  const name = path?.startsWith('.') ? locate(path) : undefined;
  const bindings = names.split(',').flatMap((one) => toBinding(one, name));
  const whole = WHOLE.exec(code)?.groups.path;
  if (whole) return { text, code, names: new Set(), uses: () => [{ name: locate(whole), what: ALL }] };
  if (code.startsWith('import')) return { text, code, isImport: true, bindings };
  if (verb === 'export') {
    const uses = () => bindings.flatMap(({ what }) => (name ? [{ name, what }] : []));
    return { text, code, names: new Set(bindings.map(({ local }) => local)), uses };
  }
  return { text, code, names: new Set(namesOf(code)), uses: (file) => listUses(code, file, locate) };
}

/** `type A as B`. */
function toBinding(text, name) {
  const [what, local = what] = text
    .trim()
    .replace(/^type /, '')
    .split(' as ');
  return what ? [{ what, local, name, text: text.trim() }] : [];
}

/** Of a statement without a name, such as `export {}`, nothing else is known: whatever is wanted, it stays. */
function namesOf(code) {
  const declared = DECLARED.exec(code)?.[1];
  return declared ? [declared] : [...code.matchAll(CONSTANTS)].map(([, name]) => name);
}

/** What a statement names of its own file and of others. A word too much only keeps more. */
function listUses(code, { imported }, locate) {
  const words = new Set(code.match(NAME));
  const inline = [...code.matchAll(INLINE)].map(([, path, what = ALL]) => ({ name: locate(path), what }));
  return [
    ...[...words].map((what) => {
      const binding = imported.get(what);
      return binding?.name ? { name: binding.name, what: binding.what } : { what };
    }),
    ...inline,
  ];
}

function format({ imports, kept, statements }) {
  const left = statements.filter((statement) => kept.has(statement));
  const words = new Set(left.flatMap(({ code }) => code.match(NAME) ?? []));
  const needed = imports.flatMap(({ text, bindings }) => {
    if (bindings.length === 0) return [text];
    const used = bindings.filter(({ local }) => words.has(local));
    return used.length > 0 ? [text.replace(/\{[^}]*\}/, `{ ${used.map((one) => one.text).join(', ')} }`)] : [];
  });
  return [...needed, ...left.map(({ text }) => text)].join('');
}

function resolve(from, path, read) {
  const target = posix.join(dirname(from), path);
  return read(`${target}.d.ts`) === undefined ? posix.join(target, 'index.d.ts') : `${target}.d.ts`;
}
