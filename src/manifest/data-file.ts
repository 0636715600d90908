import { type Document, isMap, isScalar } from 'yaml';
import type { z } from 'zod';
import { validate } from '../api/reading/validate';
import type { Finding, Path } from '../api/resource';
import type { Problem } from '../errors';
import { anchorsIn } from './anchors';
import { readDocuments } from './documents';
import type { Fault } from './faults';
import { LIMITS } from './limits';
import { originOf, placesIn } from './origins';
import { rawTextProblem } from './raw-text';
import { openSource, type Source, type SourceFile } from './source';
import { readValue } from './values';

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
  const unfit = rawTextProblem(source);
  if (unfit) return { problems: [unfit] };
  const documents: Document.Parsed[] = [];
  for (const reading of readDocuments(source, LIMITS)) {
    if ('problem' in reading) return { problems: [reading.problem] };
    if (!isEmpty(reading.document)) documents.push(reading.document);
  }
  const [document, second] = documents;
  if (!document) return { problems: [empty(file)] };
  if (second) return { problems: [several(source, second)] };
  return readMap(source, document, schema);
}

function readMap<T>(
  source: Source,
  { contents: root }: Document.Parsed,
  schema: z.ZodType<T>,
): DataFile<T> | { readonly problems: readonly Problem[] } {
  if (!isMap(root)) {
    const [offset] = root?.range ?? [0];
    return { problems: [toProblem(source, { code: 'wrong-type', offset, what: 'expected a map' })] };
  }
  const faults: Fault[] = [];
  const value = readValue(root, {
    anchors: anchorsIn(root),
    limits: LIMITS,
    budget: { left: LIMITS.aliasedValues },
    report: (fault) => faults.push(fault),
  });
  if (faults.length > 0) return { problems: faults.map((fault) => toProblem(source, fault)) };
  const place = placesIn(originOf(source, root));
  const checked = validate(schema, value);
  return 'value' in checked
    ? { value: checked.value, place }
    : { problems: located(checked.findings, place) };
}

/** Findings with their places in a data file. */
export function located(findings: readonly Finding[], place: (path: Path) => string): Problem[] {
  return findings.map(({ path, ...said }) => ({ ...said, where: place(path) }));
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return !contents || (isScalar(contents) && contents.value === null);
}

function empty({ path }: SourceFile): Problem {
  const hint = 'Remove the line that names it, or fill it';
  return { code: 'empty-file', where: `${path}:1:1`, what: 'the file is empty', hint };
}

function several(source: Source, { contents }: Document.Parsed): Problem {
  const [offset] = contents?.range ?? [0];
  const what = 'a second document begins here';
  return { code: 'many-documents', where: source.place(offset), what, hint: 'Put all into one' };
}

function toProblem(source: Source, { offset, ...said }: Fault): Problem {
  return { where: source.place(offset), ...said };
}
