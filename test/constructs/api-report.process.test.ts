import { readFileSync } from 'node:fs';
import { apiReports } from '../../scripts/api-report';

test('the public API is what docs/api says; `npm run api` writes a change of it', () => {
  for (const { path, text } of apiReports()) expect({ path, text: readFileSync(path, 'utf8') }).toEqual({ path, text });
}, 30_000);
