import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Document } from 'yaml';
import { z } from 'zod';
import { errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { readTextFileIfExists } from '../../files/read-file';
import { hasDeepBrackets } from '../../manifest/bracket-depth';
import { checkRawText } from '../../manifest/input-limits';
import { openSource } from '../../manifest/source-file';
import { yaml } from '../../manifest/yaml-library';

/**
 * Kubeconfig files as kubectl reads them:
 * <https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/> and
 * `client-go/tools/clientcmd/api/v1`. Fields that do not affect connections are ignored.
 */

const execSchema = z.object({
  apiVersion: z.string(),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  provideClusterInfo: z.boolean().optional(),
  installHint: z.string().optional(),
});

/** A plugin command that returns credentials: `gke-gcloud-auth-plugin`, `aws eks get-token`. */
export type ExecConfig = z.output<typeof execSchema>;

const clusterSchema = z.object({
  server: z.url({ protocol: /^https?$/ }),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.string().optional(),
});

const userSchema = z.object({
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
  exec: execSchema.nullish(),
  'auth-provider': z.object({ name: z.string() }).nullish(),
});

const contextSchema = z.object({ cluster: z.string(), user: z.string().default('') });

const kubeconfigSchema = z.object({
  clusters: z.array(z.object({ name: z.string(), cluster: clusterSchema })).nullish(),
  users: z.array(z.object({ name: z.string(), user: userSchema.nullish() })).nullish(),
  contexts: z.array(z.object({ name: z.string(), context: contextSchema })).nullish(),
  'current-context': z.string().optional(),
});

/** A cluster entry of a kubeconfig, with absolute paths. */
export type ClusterEntry = z.output<typeof clusterSchema>;

/** A user entry of a kubeconfig, with absolute paths. */
export type UserEntry = z.output<typeof userSchema>;

/** The merged entries of kubeconfig files, by name. */
export interface Kubeconfig {
  readonly servers: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, z.output<typeof contextSchema>>;

  /** The current context. Absent: none is set. */
  readonly current?: string;
}

interface KubeconfigFile {
  /** The absolute path. References in the file are relative to its folder. */
  readonly path: string;
  readonly text: string;
}

/**
 * Parses and merges kubeconfig files. Of two entries with the same name, the first one counts, as in kubectl.
 *
 * @throws FleetwrightError for a file that is not a kubeconfig. The message never quotes its content, which can
 * contain credentials
 */
export function parseKubeconfigs(files: readonly KubeconfigFile[]): Kubeconfig {
  const read = files.map(parseKubeconfig);
  const current = read.map((one) => one.current).find((name) => name !== '');
  return {
    ...(current !== undefined && { current }),
    servers: firstByName(read.flatMap(({ servers }) => servers)),
    users: firstByName(read.flatMap(({ users }) => users)),
    contexts: firstByName(read.flatMap(({ contexts }) => contexts)),
  };
}

function parseKubeconfig({ path, text }: KubeconfigFile) {
  const problem = checkRawText(openSource({ path, text }));
  if (problem) throw new FleetwrightError([problem]);
  if (hasDeepBrackets(text)) throw badKubeconfigError(path, 'its values are nested too deep');
  // Pretty errors would quote the line.
  const document = yaml().parseDocument(text, { prettyErrors: false, logLevel: 'error' });
  if (document.errors.length > 0) throw badKubeconfigError(path, 'this is not YAML');
  const parsed = kubeconfigSchema.safeParse(toValue(document, path));
  if (!parsed.success) {
    const at = parsed.error.issues[0]?.path.join('.') ?? '';
    throw badKubeconfigError(path, at === '' ? 'this is not a kubeconfig' : `this is not a kubeconfig: see ${at}`);
  }
  const { clusters, users, contexts, 'current-context': current = '' } = parsed.data;
  const folder = dirname(path);
  return {
    current,
    servers: (clusters ?? []).map(
      ({ name, cluster }) => [name, resolvePaths(folder, cluster, ['certificate-authority'])] as const,
    ),
    users: (users ?? []).map(({ name, user }) => [name, resolveUserPaths(folder, user ?? {})] as const),
    contexts: (contexts ?? []).map(({ name, context }) => [name, context] as const),
  };
}

/** The value of a document. The parser refuses aliases that expand to too many values. */
function toValue(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw badKubeconfigError(path, 'its aliases expand to too many values');
  }
}

function firstByName<T>(entries: readonly (readonly [string, T])[]): Map<string, T> {
  return new Map(entries.toReversed());
}

function resolveUserPaths(folder: string, user: UserEntry): UserEntry {
  const found = resolvePaths(folder, user, ['client-certificate', 'client-key', 'tokenFile']);
  // Commands without a slash are found by PATH.
  if (!found.exec?.command.includes('/')) return found;
  return { ...found, exec: { ...found.exec, command: resolve(folder, found.exec.command) } };
}

function resolvePaths<T extends object>(folder: string, entry: T, keys: readonly (keyof T & string)[]): T {
  const paths = keys.flatMap((key) => {
    const path = entry[key];
    return typeof path === 'string' && path !== '' ? [[key, resolve(folder, path)]] : [];
  });
  return { ...entry, ...Object.fromEntries(paths) };
}

function badKubeconfigError(path: string, what: string, hint = "Compare it with 'kubectl config view'") {
  return new FleetwrightError([errorAt('bad-kubeconfig', path, what, hint)]);
}

/**
 * Reads the kubeconfig that a user selects, else the files of `KUBECONFIG`, else `~/.kube/config`. Missing files of
 * the latter two are skipped, as by kubectl.
 */
export function loadKubeconfig(named: string | undefined, { env }: EnvironmentOptions): Kubeconfig {
  if (named !== undefined && !existsSync(named))
    throw badKubeconfigError(named, 'there is no such file', 'Check the path');
  const paths = named === undefined ? defaultKubeconfigPaths(env) : [named];
  const files = paths.flatMap((path) => {
    const text = readTextFileIfExists(path);
    return text === undefined ? [] : [{ path: resolve(path), text }];
  });
  return parseKubeconfigs(files);
}

function defaultKubeconfigPaths({ KUBECONFIG = '', HOME }: Environment): string[] {
  const listed = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed : [join(HOME ?? homedir(), '.kube', 'config')];
}

/** Environment variables, of the process or of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of functions that read environment variables. */
export interface EnvironmentOptions {
  readonly env: Environment;
}

/** Options of functions that load credentials. */
export interface CredentialOptions extends EnvironmentOptions {
  /** The time limit of a plugin in milliseconds. Default: 30 seconds, since a plugin may request a token from a cloud. */
  readonly pluginTimeout?: number;

  /** Hides a secret in all that the program prints. Answers of servers are redacted in any case. */
  readonly hide?: ((secret: string) => void) | undefined;
}
