import { Composer, type CST, type Document, Lexer, type ParsedNode, Parser } from 'yaml';
import type { Problem } from '../errors';
import type { Limits } from './limits';
import type { Source } from './source';
import { syntaxProblem } from './syntax';

/** A document without syntax errors, or what is wrong instead of it. */
export type Reading = { readonly document: Document.Parsed } | { readonly problem: Problem };

/**
 * YAML 1.2 core, whatever a `%YAML` line says. Duplicate keys are found later, where they matter: the
 * library compares each key with every other, and would refuse documents that are not ours.
 */
const OPTIONS = { schema: 'core', resolveKnownTags: false, uniqueKeys: false, logLevel: 'silent' } as const;

/** The documents of a file one after the other, so that only one is in memory at a time. */
export function* readDocuments(source: Source, limits: Limits): Generator<Reading> {
  const composer = new Composer(OPTIONS);
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(source.text)) {
    for (const token of parser.next(lexeme)) yield* readings(source, composer.next(token));
    if (isTooDeep(parser.stack, limits.depth)) {
      yield { problem: tooDeep(source.place(parser.offset), limits) };
      return;
    }
  }
  for (const token of parser.end()) yield* readings(source, composer.next(token));
  yield* readings(source, composer.end(true, source.text.length));
}

/** Reads the text of one document again, for the positions of its nodes. */
export function readAgain(text: string): ParsedNode | null {
  const [document] = [...new Composer(OPTIONS).compose(new Parser().parse(text), true, text.length)];
  return document?.contents ?? null;
}

/** The problem of a value in too many collections. */
export function tooDeep(where: string, limits: Limits): Problem {
  return {
    code: 'too-deep',
    where,
    what: `values are nested more than ${limits.depth} levels deep`,
    hint: 'Nothing in a fleet is: leave the file out, or look for an opening bracket too many',
  };
}

function* readings(source: Source, documents: Iterable<Document.Parsed>): Generator<Reading> {
  for (const document of documents) {
    const problem = syntaxProblem(source, document);
    yield problem ? { problem } : { document };
  }
}

/** Looked at while parsing: composing a deep document recurses, and would end in a stack overflow. */
function isTooDeep(stack: readonly CST.Token[], depth: number): boolean {
  return stack.length > depth && stack.filter((token) => 'items' in token).length > depth;
}
