import { z } from 'zod';
import { jsonIn } from '../json-in';
import type { ExecCommand, ServerEntry } from './kubeconfig';

/**
 * What a credential plugin is asked and answers: <https://kubernetes.io/docs/reference/config-api/client-authentication.v1/>,
 * `v1beta1` being the same in these fields.
 */
const answer = z.object({
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
  }),
});

/** What a credential plugin gave. */
export type Credential = z.output<typeof answer>['status'];

/** What a plugin finds in `KUBERNETES_EXEC_INFO`. It can ask nobody: its input is closed. */
export function execInfo({ apiVersion, provideClusterInfo }: ExecCommand, server: ServerEntry): string {
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
export function credentialIn(text: string): Credential | undefined {
  return answer.safeParse(jsonIn(text)).data?.status;
}
