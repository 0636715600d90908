import { z } from 'zod';
import { fields } from './reading/fields';
import { rules } from './reading/rule';
import { formed, text } from './shared/names';
import { imageRegistry } from './shared/image-registry';
import type { Finding } from './resource';

/** Whether every number is one that JSON holds: charts get their values as JSON. */
function* plainNumbers(values: Readonly<Record<string, unknown>>): Iterable<Finding> {
  for (const [key, value] of Object.entries(values)) {
    if (!hasBigint(value)) continue;
    const hint = 'Quote it: charts take numbers of at most 53 bits';
    yield { code: 'out-of-bounds', path: [key], what: 'it holds an integer that would be rounded', hint };
  }
}

function hasBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigint);
}

const release = fields({
  install: z.boolean().optional().describe('Whether it is installed. Default: where something needs it.'),
  version: text(64).optional().describe('The version of its chart. Default: the one that was tried.'),
  values: z
    .record(z.string(), z.unknown())
    .check(rules(plainNumbers))
    .default({})
    .describe('Values of its chart, over ours: maps are merged, lists replaced.'),
});

/** The software that a cluster needs before it can serve, and how it differs from what we would install. */
export const servingStack = fields({
  envoyGateway: release.optional().describe('Envoy Gateway. Default: not installed.'),
  leaderWorkerSet: release.optional().describe('LeaderWorkerSet, which runs gangs.'),
  nvidiaDraDriver: release.optional().describe('The DRA driver for NVIDIA GPUs.'),
  nodeFeatureDiscovery: release
    .optional()
    .describe('Node Feature Discovery, which finds the GPUs for that driver.'),
  certManager: release.optional().describe('cert-manager. Default: not installed.'),
  prometheus: release
    .optional()
    .describe('kube-prometheus-stack, without Grafana and Alertmanager. Default: not installed.'),
});

/** The releases that a cluster can have, as `servingStack` names them. */
export type ReleaseName = keyof z.output<typeof servingStack>;

/** How a release differs from what we would install. */
export type ReleaseSettings = z.output<typeof release>;

const chartRepository = formed({
  noun: 'a repository of charts',
  code: 'bad-registry',
  pattern: /^(oci|https):\/\/[a-z0-9][a-z0-9.:-]*(\/[A-Za-z0-9._-]+)*$/,
  max: 253,
  hint: "Write its address without a slash at the end, as in 'oci://registry.example.com/charts'",
});

/** Where a cluster without the internet finds what others load from there. */
export const mirror = fields({
  images: imageRegistry
    .optional()
    .describe('Stands for the registries of the images of servingStack: registry.example.com/mirror.'),
  charts: chartRepository
    .optional()
    .describe('Has all charts of servingStack by their own names: oci://registry.example.com/charts.'),
});
