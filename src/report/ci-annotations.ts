import type { Problem } from '../base/errors';

/** What a problem is to the one who has to mend it. */
type Level = 'error' | 'warning';

/** A problem, as a CI is told of it. */
export interface Annotation extends Problem {
  readonly level: Level;
}

/** `file:line:column`. */
const POSITION = /^(.+):(\d+):(\d+)$/s;

/** How each CI is told of problems, so that it shows them beside the lines of a change. */
const FORMATS = {
  /** Workflow commands: docs.github.com/actions/reference/workflow-commands-for-github-actions. */
  github: ({ level, where, what, hint, code }: Annotation): string => {
    const [, file, line, col] = POSITION.exec(where) ?? [];
    const place = file === undefined ? {} : { file, line, col };
    const properties = Object.entries({ ...place, title: `fleetwright: ${code}` });
    const list = properties.map(([key, value = '']) => `${key}=${escapeProperty(value)}`).join(',');
    const message = `${file === undefined ? `${where}: ` : ''}${what}.${hint ? ` ${hint}.` : ''}`;
    return `::${level} ${list}::${escapeData(message)}\n`;
  },
} as const;

/** A CI that shows problems beside lines. */
export type AnnotationFormat = keyof typeof FORMATS;

/** Every CI of which the form is known. */
export const ANNOTATION_FORMATS = Object.keys(FORMATS) as readonly AnnotationFormat[];

/** What stops, or is refused. */
export function toErrorAnnotations(problems: readonly Problem[]): Annotation[] {
  return problems.map((problem) => ({ ...problem, level: 'error' }));
}

/** What somebody should look at. */
export function toWarningAnnotations(problems: readonly Problem[]): Annotation[] {
  return problems.map((problem) => ({ ...problem, level: 'warning' }));
}

/** Annotations in the form of a CI, a line each. */
export function formatAnnotations(annotations: readonly Annotation[], format: AnnotationFormat): string {
  return annotations.map((annotation) => FORMATS[format](annotation)).join('');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
