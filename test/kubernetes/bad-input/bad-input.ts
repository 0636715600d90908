import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Part, Report } from '../part';
import { ROWS } from './rows';

/** The tests themselves fail well. */
export const badInput: Part = { name: 'bad-input', waits: true, run };

async function run(): Promise<Report> {
  const failures: string[] = [];
  for (const [name, row] of Object.entries(ROWS)) {
    const folder = mkdtempSync(join(tmpdir(), 'fleetwright-bad-input-'));
    try {
      const wrong = await row(folder);
      if (wrong.length > 0) failures.push(`${name}: ${wrong.join('; ')}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const count = Object.keys(ROWS).length;
  return { figures: [`bad input: ${count - failures.length} of ${count} rows as expected`], failures };
}
