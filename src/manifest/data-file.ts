import { type Document, isMap } from 'yaml';
import type { z } from 'zod';
import type { Finding, Path } from '../api/resource';
import { validateAgainst } from '../api/schema/validate';
import type { Problem } from '../base/errors';
import { createPlaceFinder, originOf } from './field-positions';
import { checkRawText, DEFAULT_LIMITS } from './input-limits';
import { openSource, type SourceFile, type SourceText } from './source-file';
import { isEmptyDocument, readDocuments } from './yaml-documents';
import { collectAnchors } from './yaml-nodes';
import { type Fault, readValue } from './yaml-values';

/** What a file of data says, with a way back to its text. */
export interface DataFile<T> {
  readonly value: T;

  /** `file:line:column` of a field. */
  readonly place: (path: Path) => string;
}

/** Reads a file that is one YAML map of a schema of its own, and no manifest: a price list, a catalogue. */
export function readDataFile<T>(
  file: SourceFile,
  schema: z.ZodType<T>,
): DataFile<T> | { readonly problems: readonly Problem[] } {
  const source = openSource(file);
  const unfit = checkRawText(source);
  if (unfit) return { problems: [unfit] };
  const documents: Document.Parsed[] = [];
  for (const reading of readDocuments(source, DEFAULT_LIMITS)) {
    if ('problem' in reading) return { problems: [reading.problem] };
    if (!isEmptyDocument(reading.document)) documents.push(reading.document);
  }
  const [document, second] = documents;
  if (!document) return { problems: [describeEmptyFile(file)] };
  if (second) return { problems: [describeSecondDocument(source, second)] };
  return readMap(source, document, schema);
}

function readMap<T>(
  source: SourceText,
  { contents: root }: Document.Parsed,
  schema: z.ZodType<T>,
): DataFile<T> | { readonly problems: readonly Problem[] } {
  if (!isMap(root)) {
    const [offset] = root?.range ?? [0];
    return { problems: [toProblem(source, { code: 'wrong-type', offset, what: 'expected a map' })] };
  }
  const faults: Fault[] = [];
  const value = readValue(root, {
    anchors: collectAnchors(root),
    limits: DEFAULT_LIMITS,
    budget: { left: DEFAULT_LIMITS.aliasedValues },
    report: (fault) => faults.push(fault),
  });
  if (faults.length > 0) return { problems: faults.map((fault) => toProblem(source, fault)) };
  const place = createPlaceFinder(originOf(source, root));
  const checked = validateAgainst(schema, value);
  return 'value' in checked
    ? { value: checked.value, place }
    : { problems: locateFindings(checked.findings, place) };
}

/** Findings with their places in a data file. */
export function locateFindings(findings: readonly Finding[], place: (path: Path) => string): Problem[] {
  return findings.map(({ path, ...said }) => ({ ...said, where: place(path) }));
}

function describeEmptyFile({ path }: SourceFile): Problem {
  const hint = 'Remove the line that names it, or fill it';
  return { code: 'empty-file', where: `${path}:1:1`, what: 'the file is empty', hint };
}

function describeSecondDocument(source: SourceText, { contents }: Document.Parsed): Problem {
  const [offset] = contents?.range ?? [0];
  const what = 'a second document begins here';
  return { code: 'many-documents', where: source.place(offset), what, hint: 'Put all into one' };
}

function toProblem(source: SourceText, { offset, ...said }: Fault): Problem {
  return { where: source.place(offset), ...said };
}
