import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { DiagnosticCode } from '../../base/diagnostic-codes';
import { FleetwrightError } from '../../base/errors';
import { Interner } from '../../base/interning';
import type { PreviousRevision } from '../../fleet/fleet';
import type { ModelLayouts } from '../../fleet/models/model-layouts';
import {
  groupByDeployment,
  joinPlacements,
  type PlacedBackend,
  type Placement,
  placementKeyOf,
  sortPlacements,
} from '../placement';
import { mergeRevisions, parseRevision } from '../previous-revision';
import { type Lock, LOCK_END, LOCK_VERSION } from './lock';
import { parseLayout, parseModelFacts } from './parse-layouts';

/**
 * Parses a lock. The format is strict, line by line, so that a damaged file is rejected instead of half read: a
 * replica that is missing from a cut-off lock would be taken down.
 *
 * @param file the name of the file, for messages
 * @throws FleetwrightError with every problem of the file: not a lock, another version, cut off, duplicates,
 * conflict markers
 * @example
 * const next = decide(fleet, locate, parseLock(text, 'fleet.lock.yaml'));
 */
export function parseLock(text: string, file: string): Lock {
  const reader = new LockReader(file);
  for (const line of text.split(/\r?\n/)) reader.read(line);
  return reader.finish();
}

/** Each text has one way to match, so that a damaged line fails in linear time. */
const NAME = String.raw`[a-z0-9]+(?:[-.]+[a-z0-9]+)*`;
const POOL = `"?${NAME}"?: "?${NAME}"?`;
const REPLICA_PATTERN = new RegExp(
  String.raw`^ {6}- \{cluster: "?(?<cluster>${NAME})"?, index: (?<index>\d{1,9}), pools: \{(?<pools>(?:${POOL}(?:, ${POOL})*)?)\}, shape: "(?<shape>[0-9a-f]{8})"(?:, backend: (?<backend>KServe|Dynamo))?(?<draining>, (?:draining|leaving): true)?\}$`,
);

interface LineKind {
  readonly pattern: RegExp;
  readonly take?: (reader: LockReader, match: RegExpExecArray) => void;
  /** Whether the line must follow that of a deployment. */
  readonly inDeployment?: true;
}

/** The first kind whose pattern matches handles a line. */
const LINE_KINDS: readonly LineKind[] = [
  // Most lines, so that they are looked at first.
  { pattern: REPLICA_PATTERN, take: (reader, match) => reader.replica(match), inDeployment: true },
  { pattern: /^\s*(#.*)?$/ },
  { pattern: /^version: (\S+)$/, take: (reader, [, version = '']) => reader.version(version) },
  { pattern: /^deployments:( \{\})?$/ },
  { pattern: /^ {2}([a-z0-9][-a-z0-9]*\/[a-z0-9][-a-z0-9.]*):$/, take: (reader, [, id = '']) => reader.deployment(id) },
  {
    pattern: /^ {4}unplaced: ([1-9]\d{0,8})$/,
    take: (reader, [, count]) => reader.unplaced(Number(count)),
    inDeployment: true,
  },
  {
    pattern: /^ {4}shape ([0-9a-f]{8}): (\{.*\})$/,
    take: (reader, [, shape = '', text = '']) => reader.shape(shape, text),
    inDeployment: true,
  },
  {
    pattern: /^ {4}model ([0-9a-f]{8}): (\{.*\})$/,
    take: (reader, [, spec = '', text = '']) => reader.model(spec, text),
    inDeployment: true,
  },
  {
    pattern: /^ {4}layout ([1-9]\d{0,3}): (\{.*\})$/,
    take: (reader, [, order, text = '']) => reader.layout(Number(order), text),
    inDeployment: true,
  },
  { pattern: /^ {4}replicas:( \[\])?$/ },
  { pattern: /^(<{7}|={7}|>{7}|\|{7})( |$)/, take: (reader) => reader.conflict() },
];

class LockReader {
  readonly #placements = new Map<string, { placement: Placement; line: number }>();
  readonly #blocks = new Map<string, number>();
  readonly #unplaced = new Map<string, number>();
  readonly #shapes = new Map<string, PreviousRevision>();
  readonly #layouts = new Map<string, ModelLayouts>();
  readonly #problems: Diagnostic[] = [];
  /** Many lines have the same names. */
  readonly #names = new Interner<string>();
  readonly #pools = new Interner<Placement['pools']>();
  /** The deployment that the last lines belong to. Empty before the first. */
  #current = '';
  #version: string | undefined;
  #conflict = false;
  #ended = false;
  #line = 0;

  constructor(private readonly file: string) {}

  read(text: string): void {
    this.#line += 1;
    if (this.#ended || text === LOCK_END) {
      if (this.#ended && text.trim() !== '') this.#say('bad-lock', `the file has text after its end '${LOCK_END}'`);
      this.#ended = true;
      return;
    }
    for (const { pattern, take, inDeployment } of LINE_KINDS) {
      const match = pattern.exec(text);
      if (!match) continue;
      if (!inDeployment || this.#current !== '') return take?.(this, match);
      return this.#say('bad-lock', 'the line belongs to no deployment');
    }
    this.#say('bad-lock', `'${text.trim().slice(0, 60)}' is not a line of a lock`);
  }

  version(version: string): void {
    if (this.#version !== undefined) this.#sayTwice('the version');
    this.#version = version;
    if (version === String(LOCK_VERSION)) return;
    const hint = 'Use the release of fleetwright that wrote it, or a later one';
    this.#say('lock-version', `the lock has version ${version}, this release reads ${LOCK_VERSION}`, hint);
  }

  deployment(id: string): void {
    const earlier = this.#blocks.get(id);
    if (earlier) this.#say('duplicate-line', `deployment ${id} is listed twice, first in line ${earlier}`);
    this.#blocks.set(id, this.#line);
    this.#current = id;
  }

  unplaced(count: number): void {
    if (this.#unplaced.has(this.#current)) this.#sayTwice(`the count 'unplaced' of ${this.#current}`);
    this.#unplaced.set(this.#current, count);
  }

  shape(shape: string, text: string): void {
    const revision = parseRevision(this.#current, shape, text);
    const key = `${this.#current} ${shape}`;
    if (this.#shapes.has(key)) this.#sayTwice(`shape ${shape} of ${this.#current}`);
    if (revision) this.#shapes.set(key, revision);
    else this.#say('bad-lock', `the declaration of shape ${shape} is damaged`);
  }

  model(spec: string, text: string): void {
    if (this.#layouts.has(this.#current)) this.#sayTwice(`the model of ${this.#current}`);
    const facts = parseModelFacts(spec, text);
    if (facts) this.#layouts.set(this.#current, facts);
    else this.#say('bad-lock', 'the facts of the layouts of a model are damaged');
  }

  layout(order: number, text: string): void {
    const chosen = this.#layouts.get(this.#current);
    const layout = parseLayout(text);
    if (!chosen || !layout || order !== chosen.layouts.length + 1) {
      this.#say('bad-lock', 'the layout of a model is damaged');
      return;
    }
    this.#layouts.set(this.#current, { ...chosen, layouts: [...chosen.layouts, layout] });
  }

  replica({ groups: { cluster = '', index, pools = '', shape = '', backend, draining } = {} }: RegExpExecArray): void {
    const placement = {
      deployment: this.#current,
      cluster: this.#names.intern(cluster, () => cluster),
      index: Number(index),
      pools: this.#pools.intern(pools, () => this.#parsePools(pools)),
      shape: this.#names.intern(shape, () => shape),
      ...(backend && { backend: backend as PlacedBackend }),
    };
    const key = placementKeyOf(placement);
    const earlier = this.#placements.get(key);
    if (earlier) this.#say('duplicate-line', `replica ${key} is listed twice, first in line ${earlier.line}`);
    this.#placements.set(key, { placement: draining ? { ...placement, draining: true } : placement, line: this.#line });
  }

  #parsePools(text: string): Placement['pools'] {
    const pools = new Map<string, string>();
    for (const pair of text === '' ? [] : text.replaceAll('"', '').split(', ')) {
      const [engine = '', pool = ''] = pair.split(': ');
      if (pools.has(engine)) this.#say('duplicate-line', `engine ${engine} has two pools here`);
      pools.set(engine, pool);
    }
    return Object.fromEntries(pools);
  }

  conflict(): void {
    if (this.#conflict) return;
    this.#conflict = true;
    const hint = "Run 'fleetwright lock DIR', which reads both sides and merges them";
    this.#say('lock-conflict', 'the lock has merge-conflict markers', hint);
  }

  /** The problem that explains every other problem of the file, or all of them. */
  #shown(): Diagnostic[] {
    if (this.#conflict) return this.#problems.filter(({ code }) => code === 'lock-conflict');
    return this.#version === undefined ? this.#problems.slice(-1) : this.#problems;
  }

  finish(): Lock {
    this.#line = 1;
    if (this.#version === undefined) this.#say('bad-lock', "the line 'version: 1' is missing: this is not a lock file");
    else if (!this.#ended) this.#say('bad-lock', `the lock file is truncated: its last line '${LOCK_END}' is missing`);
    for (const [id, { layouts }] of this.#layouts)
      if (layouts.length === 0) this.#say('bad-lock', `the model of ${id} has no layout`);
    const shown = this.#shown();
    if (shown.length > 0) throw new FleetwrightError(shown);
    const placements = [...this.#placements.values()].map(({ placement }) => placement);
    // Joined from groups, so that callers find the placements sorted and grouped.
    const sorted = joinPlacements([...groupByDeployment(sortPlacements(placements))]);
    const layouts = this.#layouts.size > 0 ? { layouts: this.#layouts } : {};
    return { placements: sorted, unplaced: this.#unplaced, shapes: [...this.#shapes.values()], ...layouts };
  }

  #sayTwice(what: string): void {
    this.#say('duplicate-line', `${what} is listed twice`);
  }

  #say(code: DiagnosticCode, what: string, hint = RESTORE_HINT): void {
    this.#problems.push(errorAt(code, `${this.file}:${this.#line}:1`, what, hint));
  }
}

const RESTORE_HINT = "Restore it from git, or recreate it with 'fleetwright lock DIR --from HEAD'";

type ConflictSide = 'both' | 'ours' | 'base' | 'theirs';

/** The conflict markers of git, and the side of the lines after each. */
const CONFLICT_MARKERS: readonly (readonly [RegExp, ConflictSide])[] = [
  [/^<{7}( |$)/, 'ours'],
  [/^\|{7}( |$)/, 'base'],
  [/^={7}$/, 'theirs'],
  [/^>{7}( |$)/, 'both'],
];

function sideAfter(line: string): ConflictSide | undefined {
  return CONFLICT_MARKERS.find(([marker]) => marker.test(line))?.[1];
}

/** Whether a text holds the conflict markers of git. */
export function hasConflictMarkers(text: string): boolean {
  return text.split(/\r?\n/).some((line) => sideAfter(line) === 'ours');
}

/**
 * Parses a lock that git could not merge. Both sides together are the previous state, and scheduling from it
 * resolves what does not fit or is surplus. If the sides have different lines for one replica, ours wins.
 *
 * @throws FleetwrightError if a side alone is not a lock
 */
export function parseConflictedLock(text: string, file: string): Lock {
  const { ours, theirs } = splitSides(text);
  const first = parseLock(ours, file);
  const second = parseLock(theirs, file);
  const lines = [...second.placements, ...first.placements];
  const placements = new Map(lines.map((placement) => [placementKeyOf(placement), placement]));
  const unplaced = new Map(second.unplaced);
  for (const [id, count] of first.unplaced) unplaced.set(id, Math.max(count, unplaced.get(id) ?? 0));
  const layouts = new Map([...(second.layouts ?? []), ...(first.layouts ?? [])]);
  const shapes = mergeRevisions(second.shapes, first.shapes);
  return { placements: [...placements.values()], unplaced, shapes, ...(layouts.size > 0 && { layouts }) };
}

/** The text of each side. Lines of the other side are blank, so that line numbers stay correct. */
function splitSides(text: string): { ours: string; theirs: string } {
  let side: ConflictSide = 'both';
  const ours: string[] = [];
  const theirs: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const next = sideAfter(line);
    side = next ?? side;
    ours.push(!next && (side === 'both' || side === 'ours') ? line : '');
    theirs.push(!next && (side === 'both' || side === 'theirs') ? line : '');
  }
  return { ours: ours.join('\n'), theirs: theirs.join('\n') };
}
