import type { Diagnostic } from '../base/diagnostic';
import { redact } from '../base/redaction';
import { toSentence } from '../base/text';
import { showInvisible } from '../base/untrusted-text';

const POSITION = /^(.+):(\d+):(\d+)$/s;

/** The annotation format of each CI, which shows diagnostics next to the lines of a change. */
const FORMATS = {
  /** Workflow commands: docs.github.com/actions/reference/workflow-commands-for-github-actions. */
  github: ({ severity, at, message, hint, code }: Diagnostic): string => {
    const [, file, line, col] = POSITION.exec(at) ?? [];
    const place = file === undefined ? {} : { file, line, col };
    const properties = Object.entries({ ...place, title: `fleetwright: ${code}` });
    const list = properties.map(([key, value = '']) => `${key}=${escapeProperty(value)}`).join(',');
    const text = `${file === undefined ? `${at}: ` : ''}${message}.${hint ? ` ${toSentence(hint)}` : ''}`;
    return `::${severity} ${list}::${escapeData(text)}\n`;
  },
} as const;

export type AnnotationFormat = keyof typeof FORMATS;

export const ANNOTATION_FORMATS = Object.keys(FORMATS) as readonly AnnotationFormat[];

export function formatAnnotations(diagnostics: readonly Diagnostic[], format: AnnotationFormat): string {
  return diagnostics.map((diagnostic) => FORMATS[format](diagnostic)).join('');
}

function escapeData(text: string): string {
  return showInvisible(redact(text)).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
