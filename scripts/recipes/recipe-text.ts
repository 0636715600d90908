import type { Recipe } from './read-recipe';
import type { RecipeMemory } from './size-recipe';

/** The columns of a comment. */
const WIDTH = 120;
const INDENT = '#   ';

/** The text of a recipe with the memory that its comment states: that of `sized`, a line an engine. */
export function withMemory({ text }: Pick<Recipe, 'text'>, sized: readonly RecipeMemory[]): string {
  const several = sized.length > 1;
  const words = sized.map((one) => (several ? `${one.engine}: ${one.words}` : one.words)).join('; ');
  return text.replace(/^# Memory:.*\n(?:# {3}.*\n)*/m, `${wrap(`# Memory: ${words}.`).join('\n')}\n`);
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `${INDENT}${word}`);
  }
  return lines;
}
