import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check } from 'recheck';
import { version } from 'recheck/package.json';
import * as ts from 'typescript';
import { userCache } from '../user-cache';

interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** An expression that a call of `RegExp` constructed. */
interface Constructed extends Expression {
  /** Where the call stands in the compiled file. */
  readonly position: string;
}

const FOLDERS = ['src', 'constructs', 'stacks'];

/**
 * The expressions that take linear time, by the version of recheck that says so: to check all of them again takes more
 * than a minute of processor time. `npm run test:expressions` does, and `WRITE_EXPRESSIONS=1` writes the file.
 */
const VERIFIED = join(__dirname, 'verified.json');

/** The same of what this machine has checked itself. `.ci/run` takes no one else's word for an expression. */
const CHECKED_HERE = join(userCache('regular-expressions'), `linear-${version}.json`);

interface Verified {
  readonly recheck: string;
  readonly linear: readonly string[];
}

/** The time that one expression may take, on a machine that is busy. */
const LIMIT = 600_000;

/** Limits of steps alone decide: those of time would find fault with a slow machine. */
const BY_STEPS = { timeout: LIMIT, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

interface Parsed {
  readonly literals: readonly Expression[];

  /** The file, once for each call of `RegExp` in it. */
  readonly calls: readonly string[];
}

function sources(): Parsed[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return files.filter((file) => /\.[cm]?[jt]s$/.test(file)).map((file) => parsed(file, readFileSync(file, 'utf8')));
}

function parsed(file: string, text: string): Parsed {
  const literals: Expression[] = [];
  const calls: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) literals.push(literalOf(file, node.text));
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') calls.push(file);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return { literals, calls };
}

function literalOf(file: string, text: string): Expression {
  const end = text.lastIndexOf('/');
  return { file, source: text.slice(1, end), flags: text.slice(end + 1) };
}

function constructedExpressions(): Constructed[] {
  const program = join(__dirname, 'record-constructed.cjs');
  // Without the bundle of the sources: the program tells files by the stack.
  const { FLEETWRIGHT_SOURCES: _, ...env } = process.env;
  const args = ['-r', './scripts/typescript-hook.cjs', program];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', env });
  return JSON.parse(output) as Constructed[];
}

/** What is wrong with an expression, if anything: a text can take it more than linear time. */
async function verdictOf({ file, source, flags }: Expression): Promise<string[]> {
  const found = await check(source, flags, BY_STEPS);
  if (found.status === 'safe') return [];
  const why = found.status === 'vulnerable' ? `${found.complexity.summary}: ${found.attack.pattern}` : found.error.kind;
  return [`${file} /${source}/${flags} ${why}`];
}

const textOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;

function readVerified(path: string): Verified {
  const none = { recheck: version, linear: [] };
  if (!existsSync(path)) return none;
  const verified = JSON.parse(readFileSync(path, 'utf8')) as Verified;
  return verified.recheck === version ? verified : none;
}

function writeVerified(path: string, expressions: Iterable<string>): void {
  const linear = [...new Set(expressions)].sort();
  writeFileSync(path, `${JSON.stringify({ recheck: version, linear }, null, 2)}\n`);
}

/** Keeps what has been checked for the next run. */
function keepHere(expressions: Iterable<string>): void {
  mkdirSync(dirname(CHECKED_HERE), { recursive: true });
  writeVerified(CHECKED_HERE, [...readVerified(CHECKED_HERE).linear, ...expressions]);
}

async function verdictsOf(expressions: Iterable<Expression>): Promise<string[]> {
  const found: string[] = [];
  // One after another: each check is a process of its own.
  for (const one of expressions) found.push(...(await verdictOf(one)));
  return found;
}

const files = sources();
const constructed = constructedExpressions();
const expressions = new Map(
  [...files.flatMap(({ literals }) => literals), ...constructed].map((one) => [textOf(one), one]),
);
const verified = readVerified(VERIFIED);
const { FLEETWRIGHT_EXPRESSIONS = 'listed', WRITE_EXPRESSIONS } = process.env;

/** Which expressions need no check, by what is asked for. */
const KNOWN: Readonly<Record<string, () => readonly string[]>> = {
  all: () => [],
  unchecked: () => readVerified(CHECKED_HERE).linear,
  listed: () => verified.linear,
};
let allLinear = false;

test('no text makes an expression of the sources backtrack: each takes linear time', async () => {
  const known = new Set(KNOWN[FLEETWRIGHT_EXPRESSIONS]!());
  const unknown = [...expressions].filter(([text]) => !known.has(text));
  expect(await verdictsOf(unknown.map(([, one]) => one))).toEqual([]);
  keepHere(unknown.map(([text]) => text));
  allLinear = true;
}, 1_200_000);

test('verified.json lists the expressions of the sources: WRITE_EXPRESSIONS=1 npx jest test/regular-expressions', () => {
  if (WRITE_EXPRESSIONS && allLinear) writeVerified(VERIFIED, expressions.keys());
  else expect(verified.linear).toEqual([...expressions.keys()].sort());
});

test('every call of RegExp runs while its module loads, where this test sees what it makes', () => {
  const seen = new Map(constructed.map(({ file, position }) => [`${file}:${position}`, file]));
  expect([...seen.values()].sort()).toEqual(files.flatMap(({ calls }) => calls).sort());
});

test.each([
  ['repeats a repetition', '^(a+)+$'],
  ['has an optional separator', '^(?:[a-z](?:[a-z]*[a-z])?: [a-z]+(?:, )?)*$'],
  ['splits one run in two', '^\\d*\\d*$'],
  ['starts at each character of a run', '\\s+$'],
])(
  'an expression is found that %s',
  async (_, source) => {
    expect(await verdictsOf([{ file: '', source, flags: '' }])).toHaveLength(1);
  },
  LIMIT,
);

test('literals escape characters beyond ASCII: the bundle is read as Latin-1', () => {
  const literals = files.flatMap((one) => one.literals);
  expect(literals.filter(({ source }) => /[^\0-\x7f]/.test(source)).map(textOf)).toEqual([]);
});
