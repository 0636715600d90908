import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A text for people, and where it is. */
export interface Prose {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Whether it is whole sentences, so that rules of style apply. */
  readonly style: boolean;
}

/** Names of what others wrote: sources of facts. */
const NOT_OURS = /^src\/catalog\//;

/** The string literals of TypeScript files that are more than one word. */
export function readMessages(folders: readonly string[]): Prose[] {
  return folders
    .flatMap((folder) => filesIn(folder, '.ts'))
    .filter((file) => !NOT_OURS.test(file))
    .flatMap((file) => messagesIn(file, readFileSync(file, 'utf8')));
}

/** What commands write is made of texts that are checked already. */
const WRITTEN = /^docs\/(api|reference)\/|\/(expected|previous)\/|fleet\.lock\.yaml$/;

/** The lines of Markdown pages, without blocks of code. Reference that is generated from the code is left out. */
export function readPages(places: readonly string[], except: readonly string[]): Prose[] {
  return listFiles(places, '.md')
    .filter((file) => !except.includes(file))
    .flatMap((file) => linesIn(file, readFileSync(file, 'utf8')));
}

/** The comments in blocks of code of Markdown pages. */
export function readBlockComments(places: readonly string[]): Prose[] {
  return listFiles(places, '.md').flatMap((file) => blockCommentsIn(file, readFileSync(file, 'utf8')));
}

/** The comments of files that users copy. */
export function readComments(folders: readonly string[]): Prose[] {
  const files = ['.yaml', '.yml', '.ts'].flatMap((extension) => listFiles(folders, extension));
  return files.flatMap((file) => commentsIn(file, readFileSync(file, 'utf8')));
}

/** What schemas say of fields. */
export function readDescriptions(folder: string): Prose[] {
  return listFiles([folder], '.json').flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, i) => {
      const text = /^ *"description": (".*"),?$/.exec(line)?.[1];
      return text === undefined ? [] : [{ file, line: i + 1, text: JSON.parse(text) as string, style: true }];
    });
  });
}

/** A file may be named itself. */
function listFiles(places: readonly string[], extension: string): string[] {
  const files = places.flatMap((place) => (place.endsWith(extension) ? [place] : filesIn(place, extension)));
  return files.filter((file) => !WRITTEN.test(file));
}

export function commentsIn(file: string, source: string): Prose[] {
  return source.split('\n').flatMap((line, i) => {
    const text = /(?:^|\s)(?:#|\/\/|\/?\*+) (.+)$/.exec(line)?.[1];
    return text === undefined ? [] : [{ file, line: i + 1, text, style: true }];
  });
}

export function messagesIn(file: string, source: string): Prose[] {
  const parsed = ts.createSourceFile(file, source, {
    languageVersion: ts.ScriptTarget.ES2022,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const found: Prose[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = textOf(node);
    if (text !== undefined && isProse(text) && !isCode(text)) {
      const { line } = parsed.getLineAndCharacterOfPosition(node.pos);
      found.push({ file, line: line + 1, text, style: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/** What is inserted into a template is a text of its own. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.templateSpans.reduce((text, span, i) => `${text}{${i}}${span.literal.text}`, node.head.text);
}

function isProse(text: string): boolean {
  return /[a-z]{2}[,;:.]? [a-z]/i.test(text.replaceAll(/\{\d+\}/g, 'it'));
}

export function linesIn(file: string, markdown: string): Prose[] {
  return markLines(markdown).flatMap(({ text, isCode }, i) =>
    isCode ? [] : [{ file, line: i + 1, text, style: !text.startsWith('|') }],
  );
}

export function blockCommentsIn(file: string, markdown: string): Prose[] {
  const lines = markLines(markdown);
  return commentsIn(file, lines.map(({ text, isCode }) => (isCode ? text : '')).join('\n'));
}

/** The lines of a page, and whether each is code. An indented item of a list is not. */
function markLines(markdown: string): { readonly text: string; readonly isCode: boolean }[] {
  let isBlock = false;
  return markdown.split('\n').map((text) => {
    const isFence = /^\s*```/.test(text);
    if (isFence) isBlock = !isBlock;
    const isIndented = text.startsWith('    ') && !/^ *([-*]|\d+\.) /.test(text);
    return { text, isCode: isBlock || isFence || isIndented };
  });
}

/** Scripts and templates have several lines, types have parameters, and signatures end with a type. */
function isCode(text: string): boolean {
  return text.includes('\n') || /\w<\w+,|\): \w+(<.*>)?$/.test(text);
}

function filesIn(folder: string, extension: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => join(folder, name));
}
