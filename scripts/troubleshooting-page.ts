// `npm run troubleshooting`: writes docs/troubleshooting.md. Each message is what the product prints for the case.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Desk } from './docs-desk';
import { SMALL_FLEET, TROUBLESHOOTING, type TroubleshootingCase } from './troubleshooting-cases';

const HEAD = `# Troubleshooting by message

Search this page for a part of the message that you see. Your message has other names and numbers. Fleetwright printed each message here for a small fleet with one mistake: \`npm run generate\` writes this page.

Every message has the form \`where: what is wrong. What to do.\` With \`--json\` each has a code, and [Diagnostics](diagnostics.md) lists all codes. For a running cluster, \`fleetwright doctor CLUSTER\` and \`fleetwright status\` [find the cause](live.md).`;

/** All messages as Markdown, by subject. */
export function troubleshootingPage(): string {
  const sections = Object.entries(TROUBLESHOOTING).flatMap(([title, cases]) => [`## ${title}`, ...cases.map(entry)]);
  return `${[HEAD, ...sections].join('\n\n')}\n`;
}

/** What a case without commands runs. */
const VALIDATE = ['validate fleet'];

function entry(one: TroubleshootingCase): string {
  const message = messageOf(one);
  const { commands = VALIDATE } = one;
  const command = `fleetwright ${commands.at(-1)}`;
  return [
    `### ${headingOf(message)}`,
    ['```text', `$ ${command}`, message, '```'].join('\n'),
    one.cause,
    `**What to do.** ${one.remedy}`,
  ].join('\n\n');
}

/** What the case prints: the line with the text that it names, and the list below it. */
function messageOf({ example, edits, commands = VALIDATE, from }: TroubleshootingCase): string {
  const desk = new Desk();
  try {
    if (example === undefined) desk.write('fleet/fleet.yaml', SMALL_FLEET);
    else desk.copyExample(example);
    for (const [old, text] of Object.entries(edits)) desk.edit('fleet/fleet.yaml', old, text);
    const printed = commands.map((command) => desk.run(command).output).at(-1) ?? '';
    const lines = printed.split('\n');
    const start = lines.findIndex((text) => text.includes(from));
    const [line, ...after] = start === -1 ? [] : lines.slice(start);
    if (line === undefined) throw new Error(`'${commands.join("', '")}' prints nothing with '${from}':\n${printed}`);
    const end = after.findIndex((text) => !text.startsWith('  - '));
    return [line.trim(), ...after.slice(0, end === -1 ? after.length : end)].join('\n');
  } finally {
    desk.remove();
  }
}

/** What a message starts with before it says what is wrong: its weight, its place, and the object. */
const BEFORE = /^((warning|refused|! ?): ?)?(([\w./-]+\.yaml(:\d+:\d+)?|--against \w+|[A-Z]\w+ \S+): )?(! )?/;

/** What is wrong, without the place, the cause and the remedy. */
function headingOf(message: string): string {
  const [what = message] = message.replace(BEFORE, '').split(/\. (?=[A-Z])|; |: /);
  return what.replace(/( \([^)]*)?\.?$/, '').replaceAll('<', '&lt;');
}

if (require.main === module) writeFileSync(join(__dirname, '../docs/troubleshooting.md'), troubleshootingPage());
