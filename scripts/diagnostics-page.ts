// `npm run diagnostics`: writes docs/diagnostics.md, the list of all codes, from the table in src/base.
import { writeFileSync } from 'node:fs';
import { DIAGNOSTIC_AREAS, SILENCEABLE } from '../src/base/diagnostic-codes';

const HEAD = `# Diagnostics

Errors, warnings and checks of running clusters each have a code. JSON output has it as \`code\` (\`check\` of \`doctor\`), and annotations of a CI have it in their title. An error stops the command; a warning does not. Resources under the alias group \`modelplane.ai\` load with warnings where those under \`fleetwright.dev\` have errors about engines, selectors and clouds.

\`npm run generate\` writes this page from \`src/base/diagnostic-codes.ts\`.
`;

const SILENCE =
  'Where these are warnings, `fleetwright.dev/silence-CODE: reason` on the resource silences them (policies: on the Fleet).';

const OBJECTS = '`fleetwright.dev/silence-CODE: reason` on the object silences these.';

/** All codes as Markdown, a table for each area. */
export function diagnosticsPage(): string {
  return `${[HEAD, ...Object.entries(DIAGNOSTIC_AREAS).map(section)].join('\n')}`;
}

type Codes = Readonly<Record<string, string>>;

function section([title, codes]: [string, Codes]): string {
  const rows = Object.entries(codes).sort(([a], [b]) => (a < b ? -1 : 1));
  const note = noteOn(codes);
  return [
    `## ${title}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    '| code | meaning |',
    '|---|---|',
    ...rows.map(([code, meaning]) => `| \`${code}\` | ${meaning} |`),
    '',
  ].join('\n');
}

function noteOn(codes: Codes): string | undefined {
  if (Object.keys(codes).every((code) => Object.hasOwn(SILENCEABLE, code))) return SILENCE;
  return 'open-route' in codes ? OBJECTS : undefined;
}

if (require.main === module) writeFileSync('docs/diagnostics.md', diagnosticsPage());
