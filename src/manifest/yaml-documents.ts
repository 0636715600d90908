import type { CST, Document, ParsedNode, Parser } from 'yaml';
import { type Diagnostic, errorAt } from '../base/diagnostic';
import type { Limits } from './input-limits';
import type { SourceText } from './source-file';
import { findSyntaxProblem } from './syntax-errors';
import { yaml } from './yaml-library';

type YamlDocument = { readonly document: Document.Parsed } | { readonly problem: Diagnostic };

/**
 * YAML 1.2 core, regardless of `%YAML` directives. `checkMapKey` finds duplicate keys instead of the library, which
 * compares each key with every other key, and would also reject documents of other tools.
 */
const PARSER_OPTIONS = { schema: 'core', resolveKnownTags: false, uniqueKeys: false, logLevel: 'silent' } as const;

/** Yields the documents of a file. Only one document is in memory at a time. */
export function* readDocuments(source: SourceText, limits: Limits): Generator<YamlDocument> {
  const { Composer, Lexer, Parser } = yaml();
  const composer = new Composer(PARSER_OPTIONS);
  const parser = new Parser();
  let count = 0;
  let last: CST.Token | undefined;
  for (const lexeme of new Lexer().lex(source.text)) {
    count += 1;
    for (const token of parser.next(lexeme)) {
      // After an error, the parser reports another one at every word up to the next document.
      if (token.type !== 'error' || last?.type !== 'error') yield* checkDocuments(source, composer.next(token));
      if (token.type === 'document') count = 0;
      last = token;
    }
    const problem = checkParserLimits(count, parser, source, limits);
    if (problem) return yield { problem };
  }
  for (const token of parser.end()) yield* checkDocuments(source, composer.next(token));
  yield* checkDocuments(source, composer.end(true, source.text.length));
}

/** Parses the text of one document again, for the positions of its nodes. */
export function reparseDocument(text: string): ParsedNode | null {
  const { Composer, Parser } = yaml();
  const [document] = [...new Composer(PARSER_OPTIONS).compose(new Parser().parse(text), true, text.length)];
  return document?.contents ?? null;
}

function* checkDocuments(source: SourceText, documents: Iterable<Document.Parsed>): Generator<YamlDocument> {
  for (const document of documents) {
    const problem = findSyntaxProblem(source, document);
    yield problem ? { problem } : { document };
  }
}

/** Checks limits during parsing: composing a deep document is recursive, and would overflow the stack. */
function checkParserLimits(
  count: number,
  { stack, offset }: Parser,
  source: SourceText,
  limits: Limits,
): Diagnostic | undefined {
  if (stack.length > limits.depth && stack.filter((token) => 'items' in token).length > limits.depth) {
    const hint = 'Check for a surplus bracket, or remove the file: manifests of a fleet are less deep';
    return errorAt('too-deep', source.place(offset), `values are nested more than ${limits.depth} levels deep`, hint);
  }
  if (count <= limits.tokens) return undefined;
  const what = `this document has more than ${limits.tokens} tokens up to here`;
  return errorAt('too-large', source.place(offset), what, 'Split it, or remove it');
}

export function isEmptyDocument({ contents }: Document.Parsed): boolean {
  return !contents || (yaml().isScalar(contents) && contents.value === null);
}
