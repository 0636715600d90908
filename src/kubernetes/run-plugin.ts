import { spawn } from 'node:child_process';
import { type Credential, credentialIn, execInfo } from '../live/credential';
import type { ExecCommand, ServerEntry } from '../live/kubeconfig';
import type { Environment, InEnvironment } from './environment';
import { Unreachable } from './unreachable';

/** How long a plugin may take, in milliseconds: it may ask a cloud for a token. */
const PATIENCE = 30_000;

/** More of what a plugin says for people is cut. */
const MOST_SAID = 300;

/**
 * Gets credentials from a plugin. What it prints for machines is never told.
 *
 * @throws Unreachable when it gives none, with what it says for people
 */
export async function runPlugin(
  plugin: ExecCommand,
  server: ServerEntry,
  { env }: InEnvironment,
): Promise<Credential> {
  const own = Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value]));
  const { failure, out, err } = await output(plugin, {
    ...env,
    ...own,
    KUBERNETES_EXEC_INFO: execInfo(plugin, server),
  });
  const credential = failure === undefined ? credentialIn(out) : undefined;
  if (credential) return credential;
  const said = lastLine(err).slice(0, MOST_SAID);
  const why = failure ?? 'it printed no ExecCredential';
  throw new Unreachable(
    `the credential plugin ${plugin.command} gave nothing: ${why}${said && ` (${said})`}${hint(plugin, failure)}`,
  );
}

interface Output {
  readonly failure?: string;
  readonly out: string;
  readonly err: string;
}

function output({ command, args }: ExecCommand, env: Environment): Promise<Output> {
  return new Promise((resolve) => {
    const child = spawn(command, args ?? [], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Not `timeout`: its timer would keep the process alive where the command is not there.
      signal: AbortSignal.timeout(PATIENCE),
      killSignal: 'SIGKILL',
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', (error: NodeJS.ErrnoException) => resolve({ failure: wordsOf(error), out, err }));
    child.on('close', (code) =>
      resolve({ ...(code !== 0 && { failure: `it ended with ${code}` }), out, err }),
    );
  });
}

function wordsOf({ code, name, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return NOT_FOUND;
  return name === 'AbortError' ? `it took longer than ${PATIENCE / 1000} s` : message;
}

const NOT_FOUND = 'it is not installed';

function hint({ installHint = '' }: ExecCommand, failure: string | undefined): string {
  return failure === NOT_FOUND && installHint !== '' ? `. ${lastLine(installHint).replace(/\.$/, '')}` : '';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
