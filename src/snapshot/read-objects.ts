import type { Document } from 'yaml';
import type { Path } from '../api/resource';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { type ManifestNode, manifestNodesOf } from '../manifest/document-contents';
import { createPlaceFinder, originOf } from '../manifest/field-positions';
import { checkRawText, type Limits } from '../manifest/input-limits';
import { openSource, type SourceFile, type SourceText } from '../manifest/source-file';
import { isEmptyDocument, readDocuments } from '../manifest/yaml-documents';
import { collectAnchors } from '../manifest/yaml-nodes';
import { type AliasBudget, readValue } from '../manifest/yaml-values';

/** An object of any kind from a file, not validated yet. */
export interface RawObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: unknown;
  readonly place: (path: Path) => string;
}

/** Reads the objects of a file that `kubectl get -o yaml` wrote, with the problems between them. */
export function* readRecordedObjects(file: SourceFile, limits: Limits): Generator<RawObject | Diagnostic> {
  const source = openSource(file);
  const problem = checkRawText(source);
  if (problem) return yield problem;
  const budget = { remaining: limits.aliasedValues };
  let documents = 0;
  for (const reading of readDocuments(source, limits)) {
    if ('document' in reading && isEmptyDocument(reading.document)) continue;
    documents += 1;
    if ('problem' in reading) yield reading.problem;
    else yield* objectsOf(source, reading.document, { limits, budget });
  }
  if (documents === 0) yield describeEmptyFile(file);
}

interface ReadBounds {
  readonly limits: Limits;
  readonly budget: AliasBudget;
}

function* objectsOf(
  source: SourceText,
  { contents }: Document.Parsed,
  bounds: ReadBounds,
): Generator<RawObject | Diagnostic> {
  if (!contents) return;
  const anchors = collectAnchors(contents);
  for (const item of manifestNodesOf(contents, anchors)) {
    const faults: Diagnostic<number>[] = [];
    const value = 'node' in item && readValue(item.node, { anchors, ...bounds, report: (fault) => faults.push(fault) });
    if (!('node' in item)) faults.push(item);
    else if (item.kind.endsWith('List')) faults.push(describeTypedList(item));
    for (const fault of faults) yield located(source, fault);
    if (!('node' in item) || faults.length > 0) continue;
    const { apiVersion, kind } = item;
    yield { apiVersion, kind, value, place: createPlaceFinder(originOf(source, item.node)) };
  }
}

const RECORD_HINT = "Record it with 'kubectl get nodes,pods,resourceslices -A -o yaml'";

/** The API server sends lists such as `NodeList`, whose items lack apiVersion and kind. */
function describeTypedList({ kind, node }: ManifestNode): Diagnostic<number> {
  const what = `the items of a ${kind} have no kind`;
  return errorAt('bad-list', node.range[0], what, RECORD_HINT);
}

/** What is wrong with an item of a file, and how to record one that can be read. */
function located(source: SourceText, fault: Diagnostic<number>): Diagnostic {
  const found = relocate(fault, source.place);
  return fault.code === 'no-manifest' ? { ...found, hint: RECORD_HINT } : found;
}

/** A recording that failed leaves an empty file. */
function describeEmptyFile({ path }: SourceFile): Diagnostic {
  return errorAt('empty-snapshot', `${path}:1:1`, 'the snapshot is empty', RECORD_HINT);
}
