import { type Resource, resourceId } from '../api/kinds';
import type { Locate } from '../api/locate';
import type { Problem } from '../errors';
import { sortedBy } from '../order';
import { readDocuments } from './documents';
import { type FileReadings, type ReadBefore, takeReading } from './file-reading';
import type { Limits } from './limits';
import { loadDocument, type Loading, newLoading } from './load-document';
import { rawTextProblem, withinLimits } from './raw-text';
import { openSource, type Source, type SourceFile } from './source';
import type { Unread } from './unread';

/** Documents of one kind that are not ours to read. */
export interface Ignored {
  /** API version and kind: `apps/v1 Deployment`. */
  readonly what: string;
  readonly count: number;
}

/** What a set of files declares. */
export interface Loaded {
  /** Sorted by `resourceId`, so that files and their order do not matter. */
  readonly resources: readonly Resource[];

  /** The place of a field of a resource: `file:line:column`. */
  readonly locate: Locate;

  /** Documents that were left alone, sorted. */
  readonly ignored: readonly Ignored[];

  /**
   * Everything wrong in any file. If there is something, `resources` is incomplete, or has some that must not be used:
   * they break rules, and are there for others to be asked of them.
   */
  readonly problems: readonly Problem[];

  /** The documents that are missing in `resources`. */
  readonly unread: readonly Unread[];

  /** What files hold with nothing wrong in them: what is read later need not parse them again. */
  readonly readings?: FileReadings;
}

/** See `loadManifests`. */
export function loadFiles(
  files: readonly SourceFile[],
  limits: Limits,
  onFile?: (path: string) => void,
  before?: ReadBefore,
): Loaded {
  const loading = newLoading(limits, before);
  const readable = withinLimits(
    sortedBy(files, ({ path }) => path),
    limits,
    loading.problems,
  );
  if (readable.length < files.length) loading.unread.push({});
  for (const file of readable) {
    onFile?.(file.path);
    loadFile(openSource(file), loading);
  }
  return {
    resources: sortedBy(loading.resources.values(), resourceId),
    locate: loading.locate,
    ignored: sortedBy(loading.ignored, ([what]) => what).map(([what, count]) => ({ what, count })),
    problems: loading.problems,
    unread: loading.unread,
    readings: loading.readings,
  };
}

function loadFile(source: Source, loading: Loading): void {
  const { added, origins, earlier, documents } = loading;
  const known = earlier.reading(source.text);
  if (known && takeReading(known, source, loading)) {
    loading.readings.set(source.text, known);
    return;
  }
  const [first, unsound] = [added.length, remarksOn(loading)];
  parseFile(source, loading);
  if (remarksOn(loading) !== unsound) return;
  const read = added.slice(first).flatMap((resource) => {
    const origin = origins.get(resourceId(resource));
    return origin ? [{ resource, start: origin.start, end: origin.end }] : [];
  });
  loading.readings.set(source.text, { resources: read, documents: loading.documents - documents });
}

/** Grows with every problem, every document that is not ours and every alias: what only a whole reading can tell. */
function remarksOn({ problems, ignored, budget }: Loading): number {
  const foreign = [...ignored.values()].reduce((sum, count) => sum + count, 0);
  return problems.length + foreign - budget.left;
}

function parseFile(source: Source, loading: Loading): void {
  const problem = rawTextProblem(source);
  if (problem) {
    loading.problems.push(problem);
    loading.unread.push({});
    return;
  }
  for (const reading of readDocuments(source, loading.limits)) {
    if (loading.documents > loading.limits.documents) return;
    if ('document' in reading) loadDocument(source, reading.document, loading);
    else {
      loading.problems.push(reading.problem);
      loading.unread.push({});
    }
  }
}
