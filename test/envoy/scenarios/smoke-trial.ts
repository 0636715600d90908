import { FRONT_HOST } from '../fleet/names';
import { fleetwright } from '../harness/command-line';
import { AUTHORITIES } from '../harness/open-site';

/** One run of the command. */
export interface Trial {
  readonly services: readonly string[];

  /** What it shows. Default: no key. */
  readonly key?: string;

  /** Whether it trusts the authority of the front. Default: it does. */
  readonly trusting?: boolean;

  /** Default: at the host of the front. */
  readonly via?: string;
}

/** What it came to. */
export interface Came {
  readonly code: unknown;
  readonly said: readonly string[];

  /** Whether the key is in what it printed. */
  readonly reported: boolean;
}

/** Runs the command on a folder. */
export async function smokeOnce(folder: string, { services, key, trusting = true, via }: Trial): Promise<Came> {
  const { code, out, error } = await fleetwright(
    [
      'smoke',
      folder,
      '--timeout=20',
      ...services.flatMap((name) => ['--service', `team-a/${name}`]),
      ...(key === undefined ? [] : ['--key-env', 'KEY']),
      ...(via === undefined ? [] : ['--via', via]),
    ],
    { ...(key !== undefined && { KEY: key }), ...(trusting && { NODE_EXTRA_CA_CERTS: AUTHORITIES }) },
  );
  const all = `${out}${error}`;
  return { code, said: all.trim().split('\n'), reported: key !== undefined && all.includes(key) };
}

/** The exit code, and what is said of a service. */
export function clause(code: unknown, line = '', subject: string): string {
  return `${code}, ${line.replace(` ${subject}:`, '')}`;
}

/** How a service is named in what is said of it. */
export function asked(service: string, model?: string): string {
  const at = `team-a/${service} at https://${FRONT_HOST}/team-a/${service}/`;
  return model === undefined ? at : `${at} for ${model}`;
}
