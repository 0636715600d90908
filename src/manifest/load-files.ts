import { type Locate, type Resource, resourceIdOf } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { sortedBy } from '../base/order';
import { checkRawText, enforceSizeLimits, type Limits } from './input-limits';
import { createLoadState, loadDocument, type LoadState } from './load-document';
import { type FileReadings, reuseReading } from './reuse-declarations';
import { openSource, type SourceFile, type SourceText } from './source-file';
import type { UnreadDocument } from './unread-documents';
import { readDocuments } from './yaml-documents';

/** Documents of one kind that are not ours to read. */
export interface IgnoredDocuments {
  /** API version and kind: `apps/v1 Deployment`. */
  readonly what: string;
  readonly count: number;
}

/** What a set of files declares. */
export interface LoadedManifests {
  /** Sorted by `resourceId`, so that files and their order do not matter. */
  readonly resources: readonly Resource[];

  /** The place of a field of a resource: `file:line:column`. */
  readonly locate: Locate;

  /** Documents that were left alone, sorted. */
  readonly ignored: readonly IgnoredDocuments[];

  /**
   * Everything wrong in any file. If there is something, `resources` is incomplete, or has some that must not be used:
   * they break rules, and are there for others to be asked of them.
   */
  readonly problems: readonly Diagnostic[];

  /** The documents that are missing in `resources`. */
  readonly unread: readonly UnreadDocument[];

  /** What files hold with nothing wrong in them: what is read later need not parse them again. */
  readonly readings?: FileReadings;
}

/** See `loadManifests`. */
export function loadFiles(
  files: readonly SourceFile[],
  limits: Limits,
  onFile?: (path: string) => void,
  earlier?: FileReadings,
): LoadedManifests {
  const loading = createLoadState(limits, earlier);
  const readable = enforceSizeLimits(
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
    resources: sortedBy(loading.resources.values(), resourceIdOf),
    locate: loading.locate,
    ignored: sortedBy(loading.ignored, ([what]) => what).map(([what, count]) => ({ what, count })),
    problems: loading.problems,
    unread: loading.unread,
    readings: loading.readings,
  };
}

function loadFile(source: SourceText, loading: LoadState): void {
  const { added, origins, earlier, documents } = loading;
  const known = earlier?.get(source.text);
  if (known && reuseReading(known, source, loading)) {
    loading.readings.set(source.text, known);
    return;
  }
  const [first, unsound] = [added.length, countIrregularities(loading)];
  parseFile(source, loading);
  if (countIrregularities(loading) !== unsound) return;
  const read = added.slice(first).flatMap((resource) => {
    const origin = origins.get(resourceIdOf(resource));
    return origin ? [{ resource, start: origin.start, end: origin.end }] : [];
  });
  loading.readings.set(source.text, { resources: read, documents: loading.documents - documents });
}

/** Grows with every problem, every document that is not ours and every alias: what only a whole reading can tell. */
function countIrregularities({ problems, ignored, budget }: LoadState): number {
  const foreign = [...ignored.values()].reduce((sum, count) => sum + count, 0);
  return problems.length + foreign - budget.left;
}

function parseFile(source: SourceText, loading: LoadState): void {
  const problem = checkRawText(source);
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
