import { CANARY } from './secrets';

/** The address that a run replaces with that of its server. */
export const SERVER_PLACEHOLDER = 'http://127.0.0.1:1';

/** A kubeconfig with every kind of credential, each with a canary. */
export function formatKubeconfig(): string {
  const users = {
    token: { token: CANARY.token },
    basic: { username: 'admin', password: CANARY.password },
    certificate: {
      token: CANARY.token,
      'client-key-data': Buffer.from(CANARY.certificateKey).toString('base64'),
    },
    plugin: {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'sh',
        args: ['-c', `printf '{"kind":"ExecCredential","status":{"token":"%s"}}' "$PLUGIN_TOKEN"`],
        env: [{ name: 'PLUGIN_TOKEN', value: CANARY.pluginVariable }],
      },
    },
  };
  const names = Object.keys(users) as (keyof typeof users)[];
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'server', cluster: { server: SERVER_PLACEHOLDER } }],
      users: names.map((name) => ({ name, user: users[name] })),
      contexts: names.map((name) => ({ name, context: { cluster: 'server', user: name } })),
      'current-context': 'token',
    },
    undefined,
    2,
  )}\n`;
}

/** The names of its contexts. */
export const CONTEXTS: readonly string[] = ['token', 'basic', 'certificate', 'plugin'];
