import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of recipes: one folder a recipe, and one with the hardware that they have in common. */
export const RECIPES = 'recipes';

/** The folder of the hardware, a file each. */
export const HARDWARE = join(RECIPES, 'hardware');

/** The files of a recipe. */
export const MODELS_FILE = 'models.yaml';
export const HARDWARE_FILE = 'hardware.yaml';

/** A recipe, as its comment describes it. */
export interface Recipe {
  readonly name: string;

  /** The folder, from the top of the repository. */
  readonly folder: string;

  /** The text of its models. */
  readonly text: string;

  /** What it serves, and on what. */
  readonly title: string;

  /** Fields of the comment by name, without the words of flags: `Task`, `Engine`, `Hardware`, `Memory`. */
  readonly fields: ReadonlyMap<string, string>;

  /** Why the engine has its flags, by flag. */
  readonly flags: ReadonlyMap<string, string>;
}

/** Reads all recipes, sorted by name. */
export function readRecipes(): Recipe[] {
  const names = readdirSync(RECIPES).filter((name) => existsSync(join(RECIPES, name, MODELS_FILE)));
  return names.sort().map(readRecipe);
}

function readRecipe(name: string): Recipe {
  const folder = join(RECIPES, name);
  const text = readFileSync(join(folder, MODELS_FILE), 'utf8');
  const [schema = '', ...lines] = text.split('\n');
  if (!schema.startsWith('# yaml-language-server:')) throw new Error(`${folder}: the first line names no schema`);
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('#')),
  );
  const end = head.indexOf('#');
  const title = head.slice(0, end).map(uncomment).join(' ');
  const blocks = readBlocks(head.slice(end + 1));
  const { Flags = [], ...fields } = Object.fromEntries(blocks);
  return {
    name,
    folder,
    text,
    title,
    fields: new Map(Object.entries(fields).map(([field, words]) => [field, words.join(' ')])),
    flags: readFlags(Flags),
  };
}

/** A field of the comment that a recipe must have. */
export function fieldOf({ folder, fields }: Pick<Recipe, 'folder' | 'fields'>, field: string): string {
  const value = fields.get(field);
  if (value === undefined) throw new Error(`${folder}: the comment has no '${field}'`);
  return value;
}

/** Fields, each with the words of its line and of the lines below it that are indented. */
function readBlocks(lines: readonly string[]): [string, string[]][] {
  const blocks: [string, string[]][] = [];
  for (const line of lines) {
    const [, field, words = ''] = /^# ([A-Z]\w*): ?(.*)$/.exec(line) ?? [];
    if (field !== undefined) blocks.push([field, words === '' ? [] : [words]]);
    else blocks.at(-1)?.[1].push(line.replace(/^# {3}/, ''));
  }
  return blocks;
}

function readFlags(lines: readonly string[]): Map<string, string> {
  const flags: [string, string][] = [];
  for (const line of lines) {
    const [, flag, why = ''] = /^(-\S+) +(.*)$/.exec(line) ?? [];
    const last = flags.at(-1);
    if (flag !== undefined) flags.push([flag, why]);
    else if (last) last[1] += ` ${line.trim()}`;
  }
  return new Map(flags);
}

function uncomment(line: string): string {
  return line.replace(/^# ?/, '');
}
