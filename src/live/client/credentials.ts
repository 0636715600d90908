import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { errorCodeOf } from '../../files/fs-error';
import type { ClusterAccess } from './cluster-access';
import type { ClusterEntry, CredentialOptions, Environment, ExecConfig, UserEntry } from './kubeconfig';
import { parseForeignJson } from './read-body';
import { UnreachableError } from './unreachable-error';

/** The headers and TLS options that authenticate a client and its server. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: {
    readonly ca?: string | Buffer;
    readonly cert?: string | Buffer;
    readonly key?: string | Buffer;
    readonly servername?: string;
    readonly rejectUnauthorized: boolean;
  };

  /** Every secret value of these. */
  readonly secrets: readonly string[];
}

/** Loads the credentials of a user entry: from its plugin, else its data fields, else its files. */
export async function loadCredentials(
  { server, user }: ClusterAccess,
  options: CredentialOptions,
): Promise<Credentials> {
  const pluginCredential = user.exec ? await runCredentialPlugin(user.exec, server, options) : {};
  const headers = headersOf(user, pluginCredential);
  const tls = tlsOptionsOf(server, user, pluginCredential);
  const secrets = secretsOf(user, headers, tls);
  for (const secret of secrets) options.hide?.(secret);
  return { headers, tls, secrets };
}

/** The secrets that a server can echo: tokens, passwords, and the lines of a private key. */
function secretsOf(
  { password }: UserEntry,
  { authorization }: Credentials['headers'],
  { key }: Credentials['tls'],
): string[] {
  const sent = typeof authorization === 'string' ? [authorization.replace(/^\w+ /, '')] : [];
  const lines = key === undefined ? [] : key.toString().split(/\r?\n/);
  const ofKey = lines.filter((line) => line !== '' && !line.startsWith('-----'));
  return [...sent, ...(password === undefined ? [] : [password]), ...ofKey];
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
    given.clientCertificateData ?? readDataOrFile(user['client-certificate-data'], user['client-certificate']);
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

/** Decodes base64 data, or reads a file where there is no data. */
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

const PLUGIN_TIMEOUT_MS = 30_000;

const MAX_PLUGIN_MESSAGE = 300;

/** Gets credentials from a plugin. Its standard output is never shown, only the last line of its error output. */
async function runCredentialPlugin(
  plugin: ExecConfig,
  server: ClusterEntry,
  { env, pluginTimeout = PLUGIN_TIMEOUT_MS }: CredentialOptions,
): Promise<ExecCredential> {
  const pluginEnv = Object.fromEntries((plugin.env ?? []).map(({ name, value }) => [name, value]));
  const execInfo = formatExecInfo(plugin, server);
  const child = trySpawn(plugin, { ...env, ...pluginEnv, KUBERNETES_EXEC_INFO: execInfo });
  const { failure, out, err } = 'failure' in child ? child : await collectOutput(child, pluginTimeout);
  const credential = failure === undefined ? parseExecCredential(out) : undefined;
  if (credential) return credential;
  const detail = lastLine(err).slice(0, MAX_PLUGIN_MESSAGE);
  const why = failure ?? 'it printed no ExecCredential';
  throw new UnreachableError(
    `the credential plugin ${plugin.command} returned no credentials: ${why}${detail && ` (${detail})`}${formatInstallHint(plugin, failure)}`,
  );
}

interface PluginOutput {
  readonly failure?: string;
  readonly out: string;
  readonly err: string;
}

/** The maximum size of the output of a plugin in bytes. A token and a certificate are a few kilobytes. */
const MAX_PLUGIN_BYTES = 2 ** 20;

/** How long a plugin that ended can have children that keep its output open, in milliseconds. */
const OUTPUT_GRACE_MS = 1000;

function collectOutput(child: ChildProcessByStdio<null, Readable, Readable>, limit: number): Promise<PluginOutput> {
  return new Promise((resolve) => {
    const out = collectText(child.stdout, () => end(`it printed more than ${MAX_PLUGIN_BYTES / 2 ** 20} MiB`));
    // Its messages are not its answer: too many are left out.
    const err = collectText(child.stderr, () => {});
    /** Closes its output too: children of the plugin can keep it open, and the process would wait for them. */
    const end = (failure?: string): void => {
      clearTimeout(timer);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      if (failure !== undefined) child.kill('SIGKILL');
      resolve({ ...(failure !== undefined && { failure }), out: out.text(), err: err.text() });
    };
    const timer = setTimeout(() => end(`it took longer than ${limit / 1000} s`), limit);
    const endWith = (code: number | null): void => end(code === 0 ? undefined : `it ended with ${code}`);
    child.on('error', (error) => end(describeSpawnError(error)));
    child.on('close', endWith);
    child.on('exit', (code) => setTimeout(() => endWith(code), OUTPUT_GRACE_MS).unref());
  });
}

/** Starts a plugin. Arguments that no process can have are a failure, as is a command that is missing. */
function trySpawn({ command, args }: ExecConfig, env: Environment) {
  try {
    return spawn(command, args ?? [], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const failure = `it cannot be started: ${errorCodeOf(error) ?? 'its arguments are invalid'}`;
    return { failure, out: '', err: '' };
  }
}

/** Collects the text of a stream up to `MAX_PLUGIN_BYTES`. The rest is read, so that the writer goes on. */
function collectText(stream: Readable, onExcess: () => void): { readonly text: () => string } {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on('error', () => {});
  stream.on('data', (part: Buffer) => {
    size += part.length;
    if (size <= MAX_PLUGIN_BYTES) parts.push(part);
    else onExcess();
  });
  return { text: () => Buffer.concat(parts).toString('utf8') };
}

function describeSpawnError({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ENOENT' ? NOT_FOUND : message;
}

const NOT_FOUND = 'it is not installed';

function formatInstallHint({ installHint = '' }: ExecConfig, failure: string | undefined): string {
  return failure === NOT_FOUND && installHint !== '' ? `. ${lastLine(installHint).replace(/\.$/, '')}` : '';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

/**
 * The input and output of credential plugins:
 * <https://kubernetes.io/docs/reference/config-api/client-authentication.v1/>. `v1beta1` has the same fields.
 */
const execCredentialSchema = z.object({
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
  }),
});

type ExecCredential = z.output<typeof execCredentialSchema>['status'];

/** The content of `KUBERNETES_EXEC_INFO` for a plugin. The plugin cannot prompt: its standard input is closed. */
function formatExecInfo({ apiVersion, provideClusterInfo }: ExecConfig, server: ClusterEntry): string {
  const cluster = {
    server: server.server,
    ...(server['tls-server-name'] && { 'tls-server-name': server['tls-server-name'] }),
    ...(server['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(server['certificate-authority-data'] && { 'certificate-authority-data': server['certificate-authority-data'] }),
  };
  const spec = { interactive: false, ...(provideClusterInfo && { cluster }) };
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec });
}

/** Parses the credential in the output of a plugin. Undefined where there is none. */
function parseExecCredential(text: string): ExecCredential | undefined {
  return execCredentialSchema.safeParse(parseForeignJson(text)).data?.status;
}
