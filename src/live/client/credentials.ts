import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { tryParseJson } from '../../base/json';
import { errorCodeOf } from '../../files/fs-error';
import type { ClusterAccess } from './cluster-access';
import type { ClusterEntry, Environment, EnvironmentOptions, ExecConfig, UserEntry } from './kubeconfig';
import { UnreachableError } from './unreachable-error';

/** What a client shows a server, and by what it knows it. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized: boolean;
  };
}

/** Reads the files and asks the plugin that a user entry names. What the plugin gives wins, then data over files. */
export async function loadCredentials(
  { server, user }: ClusterAccess,
  io: EnvironmentOptions,
): Promise<Credentials> {
  const given = user.exec ? await runCredentialPlugin(user.exec, server, io) : {};
  return { headers: headersOf(user, given), tls: tlsOptionsOf(server, user, given) };
}

function headersOf(user: UserEntry, given: ExecCredential): Credentials['headers'] {
  const token = given.token ?? user.token ?? (user.tokenFile && readCredentialFile(user.tokenFile).trim());
  const basic = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  const authorization = token ? `Bearer ${token}` : user.username !== undefined && `Basic ${basic}`;
  return {
    ...(authorization && { authorization }),
    ...(user.as !== undefined && { 'impersonate-user': user.as }),
    ...(user['as-groups'] && { 'impersonate-group': user['as-groups'] }),
  };
}

function tlsOptionsOf(server: ClusterEntry, user: UserEntry, given: ExecCredential): Credentials['tls'] {
  const ca = readDataOrFile(server['certificate-authority-data'], server['certificate-authority']);
  const cert =
    given.clientCertificateData ??
    readDataOrFile(user['client-certificate-data'], user['client-certificate']);
  const key = given.clientKeyData ?? readDataOrFile(user['client-key-data'], user['client-key']);
  const servername = server['tls-server-name'];
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(servername && { servername }),
    rejectUnauthorized: server['insecure-skip-tls-verify'] !== true,
  };
}

/** Data in base64, or else a file. */
function readDataOrFile(data: string | undefined, path: string | undefined): string | Buffer | undefined {
  if (data) return Buffer.from(data, 'base64');
  return path ? readCredentialFile(path) : undefined;
}

function readCredentialFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UnreachableError(`the kubeconfig names ${path}, which cannot be read: ${errorCodeOf(error)}`);
  }
}

/** How long a plugin may take, in milliseconds: it may ask a cloud for a token. */
const PLUGIN_TIMEOUT_MS = 30_000;

/** More of what a plugin says for people is cut. */
const MAX_PLUGIN_MESSAGE = 300;

/**
 * Gets credentials from a plugin. What it prints for machines is never told.
 *
 * @throws Unreachable when it gives none, with what it says for people
 */
export async function runCredentialPlugin(
  plugin: ExecConfig,
  server: ClusterEntry,
  { env }: EnvironmentOptions,
): Promise<ExecCredential> {
  const own = Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value]));
  const { failure, out, err } = await collectOutput(plugin, {
    ...env,
    ...own,
    KUBERNETES_EXEC_INFO: formatExecInfo(plugin, server),
  });
  const credential = failure === undefined ? parseExecCredential(out) : undefined;
  if (credential) return credential;
  const said = lastLine(err).slice(0, MAX_PLUGIN_MESSAGE);
  const why = failure ?? 'it printed no ExecCredential';
  throw new UnreachableError(
    `the credential plugin ${plugin.command} gave nothing: ${why}${said && ` (${said})`}${formatInstallHint(plugin, failure)}`,
  );
}

interface PluginOutput {
  readonly failure?: string;
  readonly out: string;
  readonly err: string;
}

function collectOutput({ command, args }: ExecConfig, env: Environment): Promise<PluginOutput> {
  return new Promise((resolve) => {
    const child = spawn(command, args ?? [], {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Not `timeout`: its timer would keep the process alive where the command is not there.
      signal: AbortSignal.timeout(PLUGIN_TIMEOUT_MS),
      killSignal: 'SIGKILL',
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ failure: describeSpawnError(error), out, err }),
    );
    child.on('close', (code) =>
      resolve({ ...(code !== 0 && { failure: `it ended with ${code}` }), out, err }),
    );
  });
}

function describeSpawnError({ code, name, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return NOT_FOUND;
  return name === 'AbortError' ? `it took longer than ${PLUGIN_TIMEOUT_MS / 1000} s` : message;
}

const NOT_FOUND = 'it is not installed';

function formatInstallHint({ installHint = '' }: ExecConfig, failure: string | undefined): string {
  return failure === NOT_FOUND && installHint !== '' ? `. ${lastLine(installHint).replace(/\.$/, '')}` : '';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

/**
 * What a credential plugin is asked and answers: <https://kubernetes.io/docs/reference/config-api/client-authentication.v1/>,
 * `v1beta1` being the same in these fields.
 */
const execCredentialSchema = z.object({
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
  }),
});

/** What a credential plugin gave. */
export type ExecCredential = z.output<typeof execCredentialSchema>['status'];

/** What a plugin finds in `KUBERNETES_EXEC_INFO`. It can ask nobody: its input is closed. */
export function formatExecInfo({ apiVersion, provideClusterInfo }: ExecConfig, server: ClusterEntry): string {
  const cluster = {
    server: server.server,
    ...(server['tls-server-name'] && { 'tls-server-name': server['tls-server-name'] }),
    ...(server['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(server['certificate-authority-data'] && {
      'certificate-authority-data': server['certificate-authority-data'],
    }),
  };
  const spec = { interactive: false, ...(provideClusterInfo && { cluster }) };
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
}

/** The credential in the output of a plugin, or nothing where there is none. */
export function parseExecCredential(text: string): ExecCredential | undefined {
  return execCredentialSchema.safeParse(tryParseJson(text)).data?.status;
}
