import { type Document, isCollection, isScalar, type Node, visit, type YAMLParseError } from 'yaml';
import type { Problem } from '../errors';
import type { Source } from './source';
import { LINE_CAUSES, type Opener, type Said, SYNTAX_RULES } from './syntax-rules';

/**
 * The first syntax error of a document in our words. Only the first: what the parser reports
 * behind it is mostly a consequence.
 */
export function syntaxProblem(source: Source, document: Document.Parsed): Problem | undefined {
  if (document.errors.length === 0) return undefined;
  const first = document.errors.reduce((least, { pos }) => Math.min(least, pos[0]), Infinity);
  const errors = document.errors.filter((error) => error.pos[0] === first);
  const symptoms = errors.map(({ code, message }) => `${code} ${message}`).join('\n');
  const rule = SYNTAX_RULES.find(({ symptom }) => symptom.test(symptoms));
  const offset = (rule?.opener && openerBefore(document, first, rule.opener)) ?? first;
  const said =
    causeOn(lineOf(source.text, offset)) ?? rule?.say(source.text.charAt(offset)) ?? inLibraryWords(errors);
  return { code: 'bad-yaml', where: source.place(offset), ...said };
}

function causeOn(line: string): Said | undefined {
  return LINE_CAUSES.find(({ sign }) => sign.test(line))?.said;
}

function lineOf(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end === -1 ? undefined : end);
}

/** Where the innermost quote or bracket opens that is still open at an offset. */
function openerBefore(document: Document.Parsed, offset: number, opener: Opener): number | undefined {
  let found: number | undefined;
  visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? [offset, offset];
      if (start < offset && end >= offset && opens(node, opener)) found = start;
    },
  });
  return found;
}

function opens(node: Node, opener: Opener): boolean {
  if (opener === 'quote') return isScalar(node) && node.type?.startsWith('QUOTE') === true;
  return isCollection(node) && node.flow === true;
}

function inLibraryWords([error]: readonly YAMLParseError[]): Said {
  const message = error?.message ?? 'this is no YAML';
  return { what: message.charAt(0).toLowerCase() + message.slice(1) };
}
