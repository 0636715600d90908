import { isMap, LineCounter, parseDocument } from 'yaml';
import { errorAt } from '../base/diagnostic';
import { FleetwrightError } from '../base/errors';
import { hasDeepBrackets } from './bracket-depth';
import { checkRawText } from './input-limits';
import { openSource } from './source-file';

/**
 * Reads the shell command that runs a program: `app` in its cdk8s.yaml. Undefined if the file has no `app`.
 *
 * @param path the path of the file, for messages
 */
export function parseProgramCommand(text: string, path: string): string | undefined {
  const problem = checkRawText(openSource({ path, text }));
  if (problem) throw new FleetwrightError([problem]);
  if (hasDeepBrackets(text)) throw programFileError(path, 'values are nested too deep', 'Reduce the nesting');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const what = 'the file is not YAML';
    throw programFileError(`${path}:${line}:${col}`, what, "Set 'app' to the command that runs the program");
  }
  const app: unknown = isMap(document.contents) ? document.contents.get('app') : undefined;
  if (app === undefined || app === null) return undefined;
  // No process can get an argument with a null character.
  if (typeof app === 'string' && app.trim() !== '' && !app.includes('\0')) return app;
  throw programFileError(
    path,
    "'app' is not a command",
    "Set it to the command that runs the program: 'app: node main.js'",
  );
}

function programFileError(where: string, what: string, hint: string): FleetwrightError {
  return new FleetwrightError([errorAt('bad-program', where, what, hint)]);
}
