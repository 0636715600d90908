import { parseDeploymentWithSpec, parseResource, type Resource } from '../api/kinds';
import { modernizeDeviceRequests } from '../api/older-device-requests';
import type { ModelDeployment } from '../api/model-deployment';
import { API_VERSION, BOTH_GROUPS } from '../api/resource';
import type { Limits } from './input-limits';
import { hasPlainCharacters, NotPlain } from './plain-scalars';
import { type PlainDocument, readPlainDocument } from './plain-yaml';
import type { DeclarationInterner, FileReading } from './reuse-declarations';

type Spec = ModelDeployment['spec'];

const API_VERSIONS = BOTH_GROUPS.map((group) => `${group}/${API_VERSION}`);

type DocumentRange = readonly [from: number, end: number];

/** The resource of a document, the offset where it starts, and the number of values that its aliases repeat. */
interface PlainResource {
  readonly resource: Resource;
  readonly start: number;
  readonly repeated: number;
}

/** Each line of a document takes at most this many tokens of the YAML library for each of its characters. */
const TOKENS_PER_CHARACTER = 3;

/**
 * Reads manifest files that are in the plain subset of YAML and have no problem, which most files are. It yields the
 * same resources as the YAML library in a tenth of the time, without positions. Other files are read by the library.
 */
export class PlainFileReader {
  /** The specs of deployments without problems, by API version and by their text: many differ in their names only. */
  readonly #specs = new Map(API_VERSIONS.map((version) => [version, new Map<string, Spec>()]));

  constructor(
    private readonly limits: Limits,
    private readonly interner: DeclarationInterner,
  ) {}

  /**
   * Reads a file. Undefined if it has anything that is not plain, a problem, or a document that is ignored.
   *
   * @param maxRepeated the number of values that aliases may repeat. Default: the limit of a run
   */
  read(text: string, maxRepeated: number = this.limits.aliasedValues): FileReading | undefined {
    if (!hasPlainCharacters(text)) return undefined;
    const resources: FileReading['resources'][number][] = [];
    let repeated = 0;
    try {
      for (const range of documentRanges(text)) {
        const read = this.#readDocument(text, range, maxRepeated - repeated);
        if (!read) continue;
        resources.push({ resource: read.resource, start: read.start, end: range[1] });
        repeated += read.repeated;
      }
    } catch (error) {
      if (error instanceof NotPlain) return undefined;
      throw error;
    }
    return { resources, documents: resources.length, repeated };
  }

  #readDocument(text: string, [from, end]: DocumentRange, maxRepeated: number): PlainResource | undefined {
    const { tokens, depth } = this.limits;
    if ((end - from) * TOKENS_PER_CHARACTER > tokens) throw new NotPlain();
    // The library counts the parts of a collection as levels, too.
    const reading = { maxDepth: Math.floor(depth / 2) - 2, maxRepeated };
    const document = text.slice(from, end);
    const specLine = document.indexOf(SPEC_LINE) + 1;
    if (specLine === 0) return this.#wholeResource(readPlainDocument(text, from, end, reading));
    const [split, specText] = [from + specLine, document.slice(specLine)];
    const head = readPlainDocument(text, from, split, reading);
    const known = head && this.#specsLike(head)?.get(specText);
    if (known) return this.#deploymentWithSpec(head, known);
    return this.#wholeResource(readPlainDocument(text, from, end, reading), specText);
  }

  /** @param specText the text from the line `spec:` to the end of the document */
  #wholeResource(document: PlainDocument | undefined, specText?: string): PlainResource | undefined {
    if (!document) return undefined;
    const { value, start, repeated } = document;
    if (!isPlainManifest(value)) throw new NotPlain();
    const parsed = parseResource(value);
    if ('findings' in parsed) throw new NotPlain();
    const resource = this.interner.of(parsed.resource);
    // What an alias repeats can be above the spec.
    const isOfText = repeated === 0 && specText !== undefined && !LATER_FIELD.test(specText);
    if (resource.kind === 'ModelDeployment' && isOfText) this.#specsLike(document)?.set(specText, resource.spec);
    return { resource, start, repeated };
  }

  #deploymentWithSpec({ value, start, repeated }: PlainDocument, spec: Spec): PlainResource {
    const parsed = parseDeploymentWithSpec(value, spec);
    if ('findings' in parsed) throw new NotPlain();
    return { resource: parsed.resource, start, repeated };
  }

  #specsLike({ value }: PlainDocument): Map<string, Spec> | undefined {
    return value['kind'] === 'ModelDeployment' ? this.#specs.get(String(value['apiVersion'])) : undefined;
  }
}

/** The line before it ends where the text that many documents have in common starts. */
const SPEC_LINE = '\nspec:\n';

/** A line that ends the spec. */
const LATER_FIELD = /\n[^ \n#]/;

const SEPARATOR = /^---$/gm;

/** The documents of a file, from the start of their first line to the end of their last one. */
function* documentRanges(text: string): Generator<DocumentRange> {
  let from = 0;
  for (const { index } of text.matchAll(SEPARATOR)) {
    yield [from, index];
    from = index + '---\n'.length;
  }
  if (from < text.length) yield [from, text.length];
}

/** Whether a document is a manifest of Fleetwright that needs no conversion, and no object of a controller. */
function isPlainManifest(value: Readonly<Record<string, unknown>>): boolean {
  if (!API_VERSIONS.some((one) => one === value['apiVersion'])) return false;
  if (value['apiVersion'] === API_VERSIONS[0]) return true;
  return value['kind'] !== 'ModelEndpoint' && modernizeDeviceRequests(value) === value;
}
