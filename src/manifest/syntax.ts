import { type Document, isCollection, isScalar, visit, type YAMLParseError } from 'yaml';
import type { Problem } from '../errors';
import { type Opener, SYNTAX_RULES } from './syntax-rules';
import type { Source } from './source';

/**
 * The first syntax error of a document in our words. Only the first: what the parser reports
 * behind it is mostly a consequence, and the user will run again anyway.
 */
export function syntaxProblem(source: Source, document: Document.Parsed): Problem | undefined {
  if (document.errors.length === 0) return undefined;
  const first = Math.min(...document.errors.map((error) => error.pos[0]));
  const errors = document.errors.filter((error) => error.pos[0] === first);
  const symptoms = errors.map(({ code, message }) => `${code} ${message}`).join('\n');
  const rule = SYNTAX_RULES.find(({ symptom }) => symptom.test(symptoms));
  const offset = (rule?.opener && openerBefore(document, first, rule.opener)) ?? first;
  const end = Math.max(...errors.map((error) => error.pos[1]));
  return {
    code: 'bad-yaml',
    where: source.place(offset),
    ...(templateOn(source.text, offset) ??
      rule?.say(snippet(source.text, offset, offset === first ? end : offset)) ??
      inLibraryWords(errors)),
  };
}

/** A Helm or Jinja template is no YAML yet, and its errors would mislead. */
function templateOn(text: string, offset: number): Pick<Problem, 'what' | 'hint'> | undefined {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1).split('\n', 1);
  if (!line[0]?.includes('{{')) return undefined;
  return { what: 'this line is a template, not YAML', hint: 'Render the template first, or leave the file out' };
}

/** The first line of `text` from `start` to `end`, or the first word there where `end` says no more. */
function snippet(text: string, start: number, end: number): string {
  const covered = end - start > 1 ? text.slice(start, end) : (/[\w.-]+|\S/.exec(text.slice(start, start + 80))?.[0] ?? '');
  const [line = ''] = covered.split('\n', 1);
  return line.length > 40 ? `${line.slice(0, 40)}...` : line.trim();
}

/** Where the innermost quote or bracket opens that is still open at an offset. */
function openerBefore(document: Document.Parsed, offset: number, opener: Opener): number | undefined {
  let found: number | undefined;
  visit(document, {
    Node(_, node) {
      const fits = opener === 'quote' ? isScalar(node) && /^QUOTE/.test(node.type ?? '') : isCollection(node) && node.flow;
      const [start, end] = node.range ?? [offset, offset];
      if (fits && start < offset && end >= offset) found = start;
    },
  });
  return found;
}

function inLibraryWords([error]: readonly YAMLParseError[]): Pick<Problem, 'what'> {
  const message = error?.message ?? 'this is no YAML';
  return { what: message.charAt(0).toLowerCase() + message.slice(1) };
}
