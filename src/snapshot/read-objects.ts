import type { Document } from 'yaml';
import type { Path } from '../api/resource';
import type { Problem } from '../base/errors';
import { type ManifestNode, manifestNodesOf } from '../manifest/document-contents';
import { createPlaceFinder, originOf } from '../manifest/field-positions';
import { checkRawText, type Limits } from '../manifest/input-limits';
import { openSource, type SourceFile, type SourceText } from '../manifest/source-file';
import { isEmptyDocument, readDocuments } from '../manifest/yaml-documents';
import { collectAnchors } from '../manifest/yaml-nodes';
import { type AliasBudget, type Fault, readValue } from '../manifest/yaml-values';

/** An object of any kind, as it stands in a file. */
export interface RawObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: unknown;
  readonly place: (path: Path) => string;
}

/** The objects of a file that `kubectl get -o yaml` wrote, and what is wrong in between. */
export function* readRecordedObjects(file: SourceFile, limits: Limits): Generator<RawObject | Problem> {
  const source = openSource(file);
  const problem = checkRawText(source);
  if (problem) return yield problem;
  const budget = { left: limits.aliasedValues };
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
): Generator<RawObject | Problem> {
  if (!contents) return;
  const anchors = collectAnchors(contents);
  for (const item of manifestNodesOf(contents, anchors)) {
    const faults: Fault[] = [];
    const value =
      'node' in item && readValue(item.node, { anchors, ...bounds, report: (fault) => faults.push(fault) });
    if (!('node' in item)) faults.push(item);
    else if (isTypedList(item)) faults.push(describeTypedList(item));
    for (const fault of faults) yield toProblem(source, fault);
    if (!('node' in item) || faults.length > 0) continue;
    const { apiVersion, kind } = item;
    yield { apiVersion, kind, value, place: createPlaceFinder(originOf(source, item.node)) };
  }
}

const RECORD_HINT = "Record it with 'kubectl get nodes,pods,resourceslices -A -o yaml'";

/** A `NodeList` as the API server sends it, whose items do not say what they are. */
function isTypedList({ kind }: ManifestNode): boolean {
  return kind.endsWith('List');
}

function describeTypedList({ kind, node }: ManifestNode): Fault {
  const what = `the items of a ${kind} do not say what they are`;
  return { code: 'bad-list', offset: node.range[0], what, hint: RECORD_HINT };
}

function toProblem(source: SourceText, { offset, ...said }: Fault): Problem {
  const hint = said.code === 'no-manifest' && { hint: RECORD_HINT };
  return { where: source.place(offset), ...said, ...hint };
}

/** What a recording that failed leaves behind. */
function describeEmptyFile({ path }: SourceFile): Problem {
  return { code: 'empty-snapshot', where: `${path}:1:1`, what: 'the snapshot is empty', hint: RECORD_HINT };
}
