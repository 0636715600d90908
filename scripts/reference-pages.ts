// `npm run reference`: writes the pages of docs/reference, from the schemas and from the command line.
import type { Command } from 'commander';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainField, type FieldExplanation, type FieldReference } from '../src/api/field-reference';
import { KINDS } from '../src/api/kind-table';
import { createCommandLine } from '../src/cli/command-line';
import { guardOutput } from '../src/cli/output';
import { EXIT, EXIT_MEANINGS } from '../src/cli/exit-code';
import { EXAMPLES } from '../src/cli/help';
import { cell } from './docs-page';
import { jsonPage } from './json-page';

/** Metadata that the API server writes. Manifests in git do not have it. */
const SERVER_METADATA =
  /\.metadata\.(uid|resourceVersion|generat|creation|deletion|managedFields|finalizers|owner|selfLink)/;

/** The pages by their paths. */
export function referencePages(): Readonly<Record<string, string>> {
  const kinds = KINDS.map(({ kind }) => [`docs/reference/${fileNameOf(kind)}.md`, kindPage(kind)]);
  return {
    ...Object.fromEntries(kinds),
    'docs/reference/flags.md': flagsPage(),
    'docs/reference/json.md': jsonPage(),
  };
}

function fileNameOf(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();
}

function kindPage(kind: string): string {
  const explanation = explainField(kind);
  const schema = `${fileNameOf(kind)}.json`;
  return `${[
    `# ${kind}`,
    explanation.description,
    `In a terminal, \`fleetwright explain ${kind}.spec\` prints the same. The JSON Schema is [schema/${schema}](../../schema/${schema}). \`npm run generate\` writes this page.`,
    ...objectsOf(explanation).map(formatObject),
  ].join('\n\n')}\n`;
}

/** An object and all objects below it, each before its own. */
function objectsOf(explanation: FieldExplanation): FieldExplanation[] {
  if (explanation.fields.length === 0) return [];
  const { path, fields } = explanation;
  const shown = fields.filter(({ name }) => !SERVER_METADATA.test(`${path}.${name}`));
  return [
    { ...explanation, fields: shown },
    ...shown.flatMap(({ name }) => objectsOf(explainField(`${path}.${name}`))),
  ];
}

function formatObject({ path, type, fields }: FieldExplanation): string {
  const [, ...names] = path.split('.');
  const title = names.length === 0 ? 'Fields' : `\`${names.join('.')}\``;
  const below = new Set(fields.filter(({ name }) => explainField(`${path}.${name}`).fields.length > 0));
  const rows = fields.map((field) => formatField(field, below.has(field) ? [...names, field.name].join('.') : ''));
  const kind = names.length > 0 && type !== 'object' ? [`A ${type}.`] : [];
  return [`## ${title}`, ...kind, ['| field | type | description |', '|---|---|---|', ...rows].join('\n')].join('\n\n');
}

/** `target`: the path of the object in the field, which has its own table. Empty for a field without one. */
function formatField(field: FieldReference, target: string): string {
  const name = target === '' ? `\`${field.name}\`` : `[\`${field.name}\`](#${anchorOf(target)})`;
  const required = field.required ? ', required' : '';
  return `| ${name} | ${cell(field.type)}${required} | ${cell(describe(field))} |`;
}

/** The anchor of a heading that is a path in code: GitHub and the site drop its dots alike. */
function anchorOf(path: string): string {
  return path.toLowerCase().replaceAll('.', '');
}

function describe(field: FieldReference): string {
  const { description, values = [], bounds, default: preset } = field;
  return [
    description === '' || /[.?!]$/.test(description) ? description : `${description}.`,
    ...(values.length > 0 ? [`${leadOf(field)} ${values.map(code).join(', ')}.`] : []),
    ...(bounds === undefined ? [] : [`Range: ${bounds}.`]),
    ...(preset === undefined || description.includes('Default: ') ? [] : [`Default: ${code(JSON.stringify(preset))}.`]),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** What the values of a field are introduced by. */
function leadOf({ type, values = [] }: FieldReference): string {
  if (values.length > 1) return 'One of';
  return type.includes(' or ') ? 'As text:' : 'Always';
}

function flagsPage(): string {
  const io = { out: () => {}, err: () => {}, terminal: false, env: {}, stdin: () => '' };
  const root = createCommandLine(guardOutput(io), '', () => {});
  const commands = root.createHelp().visibleCommands(root);
  const shown = commands.filter((command) => command.name() !== 'help').sort((a, b) => (a.name() < b.name() ? -1 : 1));
  const codes = Object.entries(EXIT_MEANINGS).map(([name, text]) => `| ${EXIT[name as keyof typeof EXIT]} | ${text} |`);
  return `${[
    '# Flags',
    'Every command with its arguments and flags, as `fleetwright COMMAND --help` prints them. [Commands](../commands.md) says what each command is for. `npm run generate` writes this page.',
    ...shown.flatMap((command) => commandSections(command, [])),
    '## Exit codes',
    ['| code | meaning |', '|---:|---|', ...codes].join('\n'),
  ].join('\n\n')}\n`;
}

function commandSections(command: Command, parents: readonly string[]): string[] {
  const help = command.createHelp();
  const names = [...parents, command.name()];
  const flags = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const rows = flags.map((flag) => `| ${code(flag.flags)} | ${cell(help.optionDescription(flag))} |`);
  const args = help.visibleArguments(command).filter((argument) => help.argumentDescription(argument) !== '');
  const argumentRows = args.map((one) => `| \`${one.name()}\` | ${cell(help.argumentDescription(one))} |`);
  const examples = EXAMPLES[names.join(' ')] ?? [];
  const usage = ['fleetwright', ...names, command.usage().replace('[options] ', '')].join(' ').trim();
  return [
    `## fleetwright ${names.join(' ')}`,
    sentence(help.commandDescription(command)),
    fence([`${usage}`]),
    ...(argumentRows.length > 0 ? [['| argument | meaning |', '|---|---|', ...argumentRows].join('\n')] : []),
    ...(rows.length > 0 ? [['| flag | meaning |', '|---|---|', ...rows].join('\n')] : []),
    ...(examples.length > 0 ? ['Examples:', fence(examples.map((one) => `fleetwright ${one}`))] : []),
    ...help
      .visibleCommands(command)
      .filter((one) => one.name() !== 'help')
      .flatMap((one) => commandSections(one, names)),
  ];
}

function sentence(text: string): string {
  const clean = cell(text);
  return `${clean.charAt(0).toUpperCase()}${clean.slice(1)}.`;
}

function fence(lines: readonly string[]): string {
  return ['```text', ...lines, '```'].join('\n');
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

if (require.main === module) {
  for (const [path, text] of Object.entries(referencePages())) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
