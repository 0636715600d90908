import type { Problem } from '../errors';

/** What a problem is to the one who has to mend it. */
type Level = 'error' | 'warning';

/** `file:line:column`. */
const PLACE = /^(.+):(\d+):(\d+)$/s;

/** How each CI is told of problems, so that it shows them beside the lines of a change. */
const FORMATS = {
  /** Workflow commands: docs.github.com/actions/reference/workflow-commands-for-github-actions. */
  github: ({ where, what, hint, code }: Problem, level: Level): string => {
    const [, file, line, col] = PLACE.exec(where) ?? [];
    const place = file === undefined ? {} : { file, line, col };
    const properties = Object.entries({ ...place, title: `fleetwright: ${code}` });
    const list = properties.map(([key, value = '']) => `${key}=${property(value)}`).join(',');
    const message = `${file === undefined ? `${where}: ` : ''}${what}.${hint ? ` ${hint}.` : ''}`;
    return `::${level} ${list}::${data(message)}\n`;
  },
} as const;

/** A CI that shows problems beside lines. */
export type AnnotationFormat = keyof typeof FORMATS;

/** Every CI of which the form is known. */
export const ANNOTATION_FORMATS = Object.keys(FORMATS) as readonly AnnotationFormat[];

/** Problems as annotations, a line each. */
export function formatAnnotations(
  problems: readonly Problem[],
  level: Level,
  format: AnnotationFormat,
): string {
  return problems.map((problem) => FORMATS[format](problem, level)).join('');
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
