import { z } from 'zod';
import { fields } from '../schema/fields';
import { integer } from '../schema/quantity';
import { requireExactlyOne, rules } from '../schema/rules';
import { nonEmptyText, stringFormat } from '../schema/string-formats';

export const portNumber = integer(1, 65_535);
const SECONDS = integer(1, 86_400).optional();

const headerName = stringFormat({
  noun: 'the name of a header',
  code: 'bad-name',
  pattern: /^[-A-Za-z0-9]+$/,
  max: 253,
  hint: "Use letters, digits and '-'",
});

const httpGet = fields({
  path: nonEmptyText(2048).optional().describe('Default: /.'),
  port: portNumber.describe('The port of the container.'),
  scheme: z.enum(['HTTP', 'HTTPS']).optional().describe('Default: HTTP.'),
  httpHeaders: z
    .array(
      fields({
        name: headerName.describe('The name of the header.'),
        value: z.string().max(4096).describe('Its value.'),
      }),
    )
    .max(32)
    .optional()
    .describe('Headers of the request.'),
});

const command = z.array(z.string()).min(1).max(128);

const ACTIONS = {
  httpGet: httpGet.optional().describe('Sends an HTTP request. Status codes 200 to 399 are a success.'),
  exec: fields({ command: command.describe('The command and its arguments.') })
    .optional()
    .describe('Runs a command in the container. Exit code 0 is a success.'),
  tcpSocket: fields({ port: portNumber.describe('The port of the container.') })
    .optional()
    .describe('Connects to a port.'),
};

const PROBE = {
  ...ACTIONS,
  grpc: fields({
    port: portNumber.describe('The port of the container.'),
    service: nonEmptyText(253).optional().describe('The service to check. Default: the server as a whole.'),
  })
    .optional()
    .describe('Calls the gRPC health service.'),
  initialDelaySeconds: integer(0, 86_400).optional().describe('Seconds before the first check. Default: 0.'),
  periodSeconds: SECONDS.describe('Seconds from one check to the next. Default: 10.'),
  timeoutSeconds: SECONDS.describe('The time limit of an answer, in seconds. Default: 1.'),
  failureThreshold: integer(1, 10_000).optional().describe('Failures in a row until the probe fails. Default: 3.'),
};

const oneAction = rules(requireExactlyOne('the probe', ['httpGet', 'exec', 'tcpSocket', 'grpc']));

/** The schema of a startup or liveness probe, whose failure restarts the container. */
export const restartingProbe = fields({
  ...PROBE,
  terminationGracePeriodSeconds: SECONDS.describe(
    'Seconds that the container has to terminate after a failure. Default: those of the pod.',
  ),
}).check(oneAction);

/** The schema of a readiness probe, whose failure removes the pod from its Services. */
export const readinessProbe = fields({
  ...PROBE,
  successThreshold: integer(1, 10_000)
    .optional()
    .describe('Successes in a row until the probe succeeds after a failure. Default: 1.'),
}).check(oneAction);

const hook = fields({
  httpGet: ACTIONS.httpGet,
  exec: ACTIONS.exec,
  sleep: fields({ seconds: integer(1, 86_400).describe('Seconds to wait.') })
    .optional()
    .describe('Waits.'),
}).check(rules(requireExactlyOne('the hook', ['httpGet', 'exec', 'sleep'])));

export const lifecycle = fields({
  postStart: hook.optional().describe('Runs right after the start, at the same time as the entrypoint.'),
  preStop: hook.optional().describe('Runs before the container gets SIGTERM, within the grace period of the pod.'),
});
