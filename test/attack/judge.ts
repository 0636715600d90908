import { PROCESSOR_SECONDS, type Ran } from './command';
import { changedPaths, type Content, type Files, textOf } from './files';
import { CANARY, findCanaries } from './secrets';

/** A run with what was in its folder before and after. */
export interface Judged {
  readonly ran: Ran;
  readonly command: string;
  readonly before: Files;
  readonly after: Files;

  /** Whether the command may write a file when it succeeds. */
  readonly mayWrite: (path: string) => boolean;

  /** Whether what the run prints or writes is the declarations of the user themselves. */
  readonly showsDeclarations: boolean;
}

/** A rule that a run broke. */
export interface Breach {
  readonly rule: string;
  readonly what: string;
}

const EXIT_CODES: ReadonlySet<number | undefined> = new Set([0, 1, 2, 3, 4, 5, 6]);

/** No report of a run is longer, in characters. */
const MAX_ERRORS = 2 ** 20;

const STACK = /\n\s+at .+[:(]\S*:\d+:\d+\)?|^bug: |node:internal/m;

/** A line of a report: where, what is wrong, what to do. */
const PLACED = /^\S.*?: .+[.?:]$|^\S.* --[\w-]+|^error: /;

// What no terminal should execute and no reader can see: control characters and marks of direction.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

/** What holds for every run, whatever its input. Each rule returns what broke it. */
const RULES: Readonly<Record<string, (run: Judged) => string | undefined>> = {
  'the exit code is one of the documented ones': ({ ran: { code } }) =>
    EXIT_CODES.has(code) ? undefined : `exit code ${code ?? 'none: a signal ended it'}`,
  'no stack trace is shown': ({ ran: { out, err } }) => excerptOf(STACK, `${out}\n${err}`),
  'at most ten seconds of processor time': ({ ran: { seconds } }) =>
    seconds <= PROCESSOR_SECONDS ? undefined : `${seconds.toFixed(1)} s`,
  'every error has a place': (run) => (run.ran.code === 1 ? unplaced(run) : undefined),
  'a report is at most a megabyte': ({ ran: { err } }) =>
    err.length <= MAX_ERRORS ? undefined : `${err.length} characters`,
  'a run that fails writes nothing': (run) =>
    hasFailed(run) ? listed(changedPaths(run.before, run.after)) : undefined,
  'a run writes nothing but its output': ({ before, after, mayWrite }) =>
    listed(changedPaths(before, after).filter((path) => !mayWrite(path))),
  'a snapshot keeps its nodes': ({ before, after }) =>
    listed(
      changedPaths(before, after).filter(
        (path) => path.includes('/snapshots/') && hasNode(before[path]) && !hasNode(after[path]),
      ),
    ),
  'no credential of the environment is shown': (run) => {
    const { literal: _, ...credentials } = CANARY;
    return listed(findCanaries(everythingShown(run), Object.keys(credentials) as (keyof typeof CANARY)[]));
  },
  'no key in a manifest is shown': (run) =>
    run.showsDeclarations ? undefined : listed(findCanaries(everythingShown(run), ['literal'])),
  'text for people has no invisible characters': ({ command, ran: { out, err } }) => {
    const found = INVISIBLE.exec(command.includes('--json') ? err : out + err)?.[0];
    return found === undefined ? undefined : `U+${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  },
  'no line is a command to a CI': ({ command, ran: { out, err } }) =>
    command.includes('--annotations') ? undefined : /^\s*(::|##\[|##vso\[).*$/m.exec(out + err)?.[0].slice(0, 80),
};

/** The rules that a run broke. */
export function judge(run: Judged): readonly Breach[] {
  return Object.entries(RULES).flatMap(([rule, check]) => {
    const what = check(run);
    return what === undefined ? [] : [{ rule, what: what.trim().slice(0, 300) }];
  });
}

/**
 * Whether a run decided nothing. One with errors in some resources still decides about the others, and says so. `lock`
 * and `synth` write all of that or nothing; others may write a report and then refuse.
 */
function hasFailed({ command, ran: { code, out } }: Judged): boolean {
  if (/^Wrote |^Manifests of |^Total: |"written": (?!null)/m.test(out)) return false;
  return /^(lock|synth) /.test(command) ? code !== 0 : code === 1 || code === 70 || code === undefined;
}

function unplaced({ command, ran: { out, err } }: Judged): string | undefined {
  if (command.includes('--json') && out.startsWith('{')) {
    const { problems } = JSON.parse(out) as { problems?: readonly { at?: string; where?: string }[] };
    return problems?.length ? undefined : 'JSON without problems';
  }
  const first = err.split('\n').find((line) => line.trim() !== '') ?? '';
  return err.split('\n').some((line) => PLACED.test(line)) ? undefined : `it says '${first.slice(0, 200)}'`;
}

function hasNode(snapshot: Content | undefined): boolean {
  return snapshot !== undefined && textOf(snapshot).includes('kind: Node');
}

/** Output, and every file that the run wrote but manifests, which hold what the user declares. */
function everythingShown({ ran, before, after }: Judged): string {
  const written = changedPaths(before, after).filter((path) => !/^out\/.*\.yaml$/.test(path));
  return [ran.out, ran.err, ...written.map((path) => textOf(after[path] ?? ''))].join('\n');
}

function listed(items: readonly string[]): string | undefined {
  return items.length === 0 ? undefined : items.slice(0, 5).join(', ');
}

/** What a pattern finds, with what follows. */
function excerptOf(pattern: RegExp, text: string): string | undefined {
  const found = pattern.exec(text);
  return found ? text.slice(found.index, found.index + 300) : undefined;
}
