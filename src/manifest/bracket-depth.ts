import { Lexer } from 'yaml';
import { DEFAULT_LIMITS } from './input-limits';

/**
 * Whether brackets of a YAML text are nested deeper than a manifest may be. The parser reports each bracket that is
 * not closed, which ends the process for thousands of them.
 */
export function hasDeepBrackets(text: string): boolean {
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '{' || lexeme === '[') depth += 1;
    else if (lexeme === '}' || lexeme === ']') depth -= 1;
    if (depth > DEFAULT_LIMITS.depth) return true;
  }
  return false;
}
