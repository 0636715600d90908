import type { Document } from 'yaml';
import type { z } from 'zod';
import type { Path } from '../api/resource';
import { validateAgainst } from '../api/schema/validate';
import { type Diagnostic, errorAt, relocate } from '../base/diagnostic';
import { createPlaceFinder, originOf } from './field-positions';
import { checkRawText, DEFAULT_LIMITS } from './input-limits';
import { openSource, type SourceFile, type SourceText } from './source-file';
import { isEmptyDocument, readDocuments } from './yaml-documents';
import { yaml } from './yaml-library';
import { collectAnchors } from './yaml-nodes';
import { readValue } from './yaml-values';

interface DataFile<T> {
  readonly value: T;

  /** The position of a field: `file:line:column`. */
  readonly place: (path: Path) => string;
}

type DataFileReading<T> = DataFile<T> | { readonly problems: readonly Diagnostic[] };

/** Reads a data file: a single YAML map with its own schema, such as a price file or a catalog, not a manifest. */
export function readDataFile<T>(file: SourceFile, schema: z.ZodType<T>): DataFileReading<T> {
  const source = openSource(file);
  const problem = checkRawText(source);
  if (problem) return { problems: [problem] };
  const documents: Document.Parsed[] = [];
  for (const reading of readDocuments(source, DEFAULT_LIMITS)) {
    if ('problem' in reading) return { problems: [reading.problem] };
    if (!isEmptyDocument(reading.document)) documents.push(reading.document);
  }
  const [document, second] = documents;
  if (!document) {
    const hint = 'Add content, or remove the reference to the file';
    return { problems: [errorAt('empty-file', `${file.path}:1:1`, 'the file is empty', hint)] };
  }
  if (second) {
    const [offset] = second.contents?.range ?? [0];
    const what = 'a second document begins here';
    return { problems: [errorAt('many-documents', source.place(offset), what, 'Move everything into one document')] };
  }
  return readMap(source, document, schema);
}

function readMap<T>(source: SourceText, { contents: root }: Document.Parsed, schema: z.ZodType<T>): DataFileReading<T> {
  if (!yaml().isMap(root)) {
    const [offset] = root?.range ?? [0];
    return {
      problems: [
        errorAt('wrong-type', source.place(offset), 'expected a map', "Begin with a field, as in 'name: value'"),
      ],
    };
  }
  const faults: Diagnostic<number>[] = [];
  const value = readValue(root, {
    anchors: collectAnchors(root),
    limits: DEFAULT_LIMITS,
    budget: { remaining: DEFAULT_LIMITS.aliasedValues },
    report: (fault) => faults.push(fault),
  });
  if (faults.length > 0) return { problems: faults.map((fault) => relocate(fault, source.place)) };
  const place = createPlaceFinder(originOf(source, root));
  const checked = validateAgainst(schema, value);
  return 'value' in checked ? { value: checked.value, place } : { problems: locateInFile(checked.findings, place) };
}

export function locateInFile(findings: readonly Diagnostic<Path>[], place: (path: Path) => string): Diagnostic[] {
  return findings.map((finding) => relocate(finding, place));
}
