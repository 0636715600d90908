import { dirname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { FleetwrightError } from '../errors';

/**
 * Kubeconfig files, as kubectl reads them: <https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/>
 * and `client-go/tools/clientcmd/api/v1`. Fields that say nothing of how to reach a cluster are passed over.
 */

const exec = z.object({
  apiVersion: z.string(),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  provideClusterInfo: z.boolean().optional(),
  installHint: z.string().optional(),
});

/** A command that gets credentials: `gke-gcloud-auth-plugin`, `aws eks get-token`. */
export type ExecCommand = z.output<typeof exec>;

const cluster = z.object({
  server: z.url({ protocol: /^https?$/ }),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.string().optional(),
});

const user = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  as: z.string().optional(),
  'as-groups': z.array(z.string()).nullish(),
  exec: exec.nullish(),
  'auth-provider': z.object({ name: z.string() }).nullish(),
});

const context = z.object({ cluster: z.string(), user: z.string().default('') });

const schema = z.object({
  clusters: z.array(z.object({ name: z.string(), cluster })).nullish(),
  users: z.array(z.object({ name: z.string(), user: user.nullish() })).nullish(),
  contexts: z.array(z.object({ name: z.string(), context })).nullish(),
  'current-context': z.string().optional(),
});

/** How a server is reached, with paths that are absolute. */
export type ServerEntry = z.output<typeof cluster>;

/** Who asks, with paths that are absolute. */
export type UserEntry = z.output<typeof user>;

/** The entries of kubeconfig files, by name. */
export interface Kubeconfig {
  readonly servers: ReadonlyMap<string, ServerEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, z.output<typeof context>>;

  /** The context of whoever used kubectl last, or of whoever wrote the file. Absent: none is set. */
  readonly current?: string;
}

/** A kubeconfig file as it was read. */
export interface KubeconfigFile {
  /** Absolute: what it refers to is relative to its folder. */
  readonly path: string;
  readonly text: string;
}

/**
 * Reads kubeconfig files together. Of two entries with one name the first counts, as for kubectl.
 *
 * @throws FleetwrightError for a file that is no kubeconfig. Its content is never quoted: it may hold credentials
 */
export function readKubeconfigs(files: readonly KubeconfigFile[]): Kubeconfig {
  const read = files.map(readOne);
  const current = read.map((one) => one.current).find((name) => name !== '');
  return {
    ...(current !== undefined && { current }),
    servers: firstOf(read.flatMap(({ servers }) => servers)),
    users: firstOf(read.flatMap(({ users }) => users)),
    contexts: firstOf(read.flatMap(({ contexts }) => contexts)),
  };
}

function readOne({ path, text }: KubeconfigFile) {
  // Pretty errors would quote the line.
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  if (document.errors.length > 0) throw notOne(path, 'this is no YAML');
  const parsed = schema.safeParse(document.toJS() ?? {});
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.join('.') ?? '';
    throw notOne(path, at === '' ? 'this is no kubeconfig' : `this is no kubeconfig: see ${at}`);
  }
  const { clusters, users, contexts, 'current-context': current = '' } = parsed.data;
  const folder = dirname(path);
  return {
    current,
    servers: (clusters ?? []).map(({ name, cluster }) => [name, serverIn(folder, cluster)] as const),
    users: (users ?? []).map(({ name, user }) => [name, userIn(folder, user ?? {})] as const),
    contexts: (contexts ?? []).map(({ name, context }) => [name, context] as const),
  };
}

function firstOf<T>(entries: readonly (readonly [string, T])[]): Map<string, T> {
  return new Map(entries.toReversed());
}

function serverIn(folder: string, server: ServerEntry): ServerEntry {
  return withPaths(folder, server, ['certificate-authority']);
}

function userIn(folder: string, user: UserEntry): UserEntry {
  const found = withPaths(folder, user, ['client-certificate', 'client-key', 'tokenFile']);
  // A command without a slash is looked up in PATH.
  if (!found.exec?.command.includes('/')) return found;
  return { ...found, exec: { ...found.exec, command: resolve(folder, found.exec.command) } };
}

function withPaths<T extends object>(folder: string, entry: T, keys: readonly (keyof T & string)[]): T {
  const paths = keys.flatMap((key) => {
    const path = entry[key];
    return typeof path === 'string' && path !== '' ? [[key, resolve(folder, path)]] : [];
  });
  return { ...entry, ...Object.fromEntries(paths) };
}

function notOne(path: string, what: string): FleetwrightError {
  return new FleetwrightError([
    { code: 'bad-kubeconfig', where: path, what, hint: "Compare it with 'kubectl config view'" },
  ]);
}
