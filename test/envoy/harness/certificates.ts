import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands';

/** A certificate to make. An issuer stands before what it signs; without one it signs itself. */
export interface Wanted {
  readonly name: string;
  readonly issuer?: string;
  readonly dns?: readonly string[];
  readonly use: 'authority' | 'server' | 'client';
}

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes certificates, and returns them by name. */
export async function makeCertificates(
  program: string,
  folder: string,
  wanted: readonly Wanted[],
): Promise<(name: string) => Certificate> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await run(program, [folder], { input: JSON.stringify(wanted) });
  return (name) => ({
    cert: readFileSync(join(folder, `${name}.crt`), 'utf8'),
    key: readFileSync(join(folder, `${name}.key`), 'utf8'),
  });
}
