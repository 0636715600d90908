import { readFileSync } from 'node:fs';
import type { Access } from '../live/access';
import type { Credential } from '../live/credential';
import type { ServerEntry, UserEntry } from '../live/kubeconfig';
import { codeOf } from '../files/fs-error';
import type { InEnvironment } from './environment';
import { runPlugin } from './run-plugin';
import { Unreachable } from './unreachable';

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
export async function credentialsFor({ server, user }: Access, io: InEnvironment): Promise<Credentials> {
  const given = user.exec ? await runPlugin(user.exec, server, io) : {};
  return { headers: headersFor(user, given), tls: tlsFor(server, user, given) };
}

function headersFor(user: UserEntry, given: Credential): Credentials['headers'] {
  const token = given.token ?? user.token ?? (user.tokenFile && text(user.tokenFile).trim());
  const basic = Buffer.from(`${user.username}:${user.password}`).toString('base64');
  const authorization = token ? `Bearer ${token}` : user.username !== undefined && `Basic ${basic}`;
  return {
    ...(authorization && { authorization }),
    ...(user.as !== undefined && { 'impersonate-user': user.as }),
    ...(user['as-groups'] && { 'impersonate-group': user['as-groups'] }),
  };
}

function tlsFor(server: ServerEntry, user: UserEntry, given: Credential): Credentials['tls'] {
  const ca = bytes(server['certificate-authority-data'], server['certificate-authority']);
  const cert =
    given.clientCertificateData ?? bytes(user['client-certificate-data'], user['client-certificate']);
  const key = given.clientKeyData ?? bytes(user['client-key-data'], user['client-key']);
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
function bytes(data: string | undefined, path: string | undefined): string | Buffer | undefined {
  if (data) return Buffer.from(data, 'base64');
  return path ? text(path) : undefined;
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Unreachable(`the kubeconfig names ${path}, which cannot be read: ${codeOf(error)}`);
  }
}
