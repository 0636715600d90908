// `npm run catalogue:check -- FILE...`: compares the machines of the catalog with what the command lines of clouds
// export. Ends with 1 where they differ.
import { readFileSync } from 'node:fs';
import { pluralize } from '../src/base/text';
import { BUILT_IN_CATALOGUE } from '../src/fleet/hardware/hardware';
import { compareWithExport, EXPORT_COMMANDS } from './catalogue-rows';

const files = process.argv.slice(2);
if (files.length === 0)
  fail(`No file is given. Write the output of a command to a file: ${EXPORT_COMMANDS.join('; ')}.`);

const rows = [...BUILT_IN_CATALOGUE.instanceTypes.values()];
let differences = 0;
for (const file of files) {
  const found = compareWithExport(rows, readJson(file));
  if (!found) fail(`${file}: this is not the output of a known command. Use one of ${EXPORT_COMMANDS.join('; ')}.`);
  for (const line of found) process.stdout.write(`${file}: ${line}\n`);
  differences += found.length;
}
process.stdout.write(`${pluralize(differences, 'difference')}.\n`);
process.exitCode = differences > 0 ? 1 : 0;

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return fail(`${file}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
