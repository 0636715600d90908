import { type Document, isScalar } from 'yaml';
import type { Path } from '../api/resource';
import type { Problem } from '../errors';
import { anchorsIn } from '../manifest/anchors';
import { readDocuments } from '../manifest/documents';
import type { Fault } from '../manifest/faults';
import { type Item, itemsOf } from '../manifest/items';
import type { Limits } from '../manifest/limits';
import { originOf, placesIn } from '../manifest/origins';
import { rawTextProblem } from '../manifest/raw-text';
import { openSource, type Source, type SourceFile } from '../manifest/source';
import { type AliasBudget, readValue } from '../manifest/values';

/** An object of any kind, as it stands in a file. */
export interface RawObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: unknown;
  readonly place: (path: Path) => string;
}

/** The objects of a file that `kubectl get -o yaml` wrote, and what is wrong in between. */
export function* readObjects(file: SourceFile, limits: Limits): Generator<RawObject | Problem> {
  const source = openSource(file);
  const problem = rawTextProblem(source);
  if (problem) return yield problem;
  const budget = { left: limits.aliasedValues };
  let documents = 0;
  for (const reading of readDocuments(source, limits)) {
    if ('document' in reading && isEmpty(reading.document)) continue;
    documents += 1;
    if ('problem' in reading) yield reading.problem;
    else yield* objectsOf(source, reading.document, { limits, budget });
  }
  if (documents === 0) yield emptyFile(file);
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return !contents || (isScalar(contents) && contents.value === null);
}

interface Bounds {
  readonly limits: Limits;
  readonly budget: AliasBudget;
}

function* objectsOf(
  source: Source,
  { contents }: Document.Parsed,
  bounds: Bounds,
): Generator<RawObject | Problem> {
  if (!contents) return;
  const anchors = anchorsIn(contents);
  for (const item of itemsOf(contents, anchors)) {
    const faults: Fault[] = [];
    const value =
      'node' in item && readValue(item.node, { anchors, ...bounds, report: (fault) => faults.push(fault) });
    if (!('node' in item)) faults.push(item);
    else if (isTypedList(item)) faults.push(typedList(item));
    for (const fault of faults) yield toProblem(source, fault);
    if (!('node' in item) || faults.length > 0) continue;
    const { apiVersion, kind } = item;
    yield { apiVersion, kind, value, place: placesIn(originOf(source, item.node)) };
  }
}

const RECORD = "Record it with 'kubectl get nodes,pods,resourceslices -A -o yaml'";

/** A `NodeList` as the API server sends it, whose items do not say what they are. */
function isTypedList({ kind }: Item): boolean {
  return kind.endsWith('List');
}

function typedList({ kind, node }: Item): Fault {
  const what = `the items of a ${kind} do not say what they are`;
  return { code: 'bad-list', offset: node.range[0], what, hint: RECORD };
}

function toProblem(source: Source, { offset, ...said }: Fault): Problem {
  const hint = said.code === 'no-manifest' && { hint: RECORD };
  return { where: source.place(offset), ...said, ...hint };
}

/** What a recording that failed leaves behind. */
function emptyFile({ path }: SourceFile): Problem {
  return { code: 'empty-snapshot', where: `${path}:1:1`, what: 'the snapshot is empty', hint: RECORD };
}
