import { type Locate, type Resource, resourceIdOf } from '../api/kinds';
import type { Diagnostic } from '../base/diagnostic';
import { sortedBy } from '../base/order';
import { checkRawText, enforceSizeLimits, type Limits } from './input-limits';
import { addUnread, createLoadState, loadDocument, type LoadState } from './load-document';
import { type FileReadings, reuseReading } from './reuse-declarations';
import { openSource, type SourceFile, type SourceText } from './source-file';
import type { UnreadDocument } from './unread-documents';
import { readDocuments } from './yaml-documents';

/** The ignored documents of one kind, which belong to other tools. */
export interface IgnoredDocuments {
  /** API version and kind: `apps/v1 Deployment`. */
  readonly what: string;
  readonly count: number;
}

/** The resources that a set of files declares, and the problems in the files. */
export interface LoadedManifests {
  /** Sorted by `resourceIdOf`, so that the split into files and their order do not matter. */
  readonly resources: readonly Resource[];

  /** The position of a field of a resource: `file:line:column`. */
  readonly locate: Locate;

  /** Ignored documents, sorted by `what`. */
  readonly ignored: readonly IgnoredDocuments[];

  /**
   * All problems in all files. If there is a problem, `resources` may be incomplete, and may include invalid resources.
   * Use these only for further checks.
   */
  readonly problems: readonly Diagnostic[];

  /** The documents that could not be read and are missing in `resources`. */
  readonly unread: readonly UnreadDocument[];

  /** The content of files without problems, so that a later load does not parse them again. */
  readonly readings?: FileReadings;
}

/** Implements `loadManifests`. */
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
  const [first, irregularities] = [added.length, countIrregularities(loading)];
  parseFile(source, loading);
  if (countIrregularities(loading) !== irregularities) return;
  const read = added.slice(first).flatMap((resource) => {
    const origin = origins.get(resourceIdOf(resource));
    return origin ? [{ resource, start: origin.start, end: origin.end }] : [];
  });
  loading.readings.set(source.text, { resources: read, documents: loading.documents - documents });
}

/** Counts problems, ignored documents and repeated values: files with any of these cannot be reused by text. */
function countIrregularities({ problems, ignored, budget }: LoadState): number {
  const foreign = [...ignored.values()].reduce((sum, count) => sum + count, 0);
  return problems.length + foreign - budget.remaining;
}

function parseFile(source: SourceText, loading: LoadState): void {
  const problem = checkRawText(source);
  if (problem) return addUnread(problem, loading);
  for (const item of readDocuments(source, loading.limits)) {
    if (loading.documents > loading.limits.documents) return;
    if ('document' in item) loadDocument(source, item.document, loading);
    else addUnread(item.problem, loading);
  }
}
