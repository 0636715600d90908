import { z } from 'zod';
import { fields, withDefault } from './schema/fields';
import { annotationMap, labelMap } from './schema/label-map';
import { duration } from './schema/quantity';
import { dnsLabel, stringFormat } from './schema/string-formats';

const serverAddress = stringFormat({
  noun: 'the address of a server',
  code: 'bad-url',
  pattern: /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/,
  max: 2048,
  hint: "Use scheme, host and port, as in 'http://prometheus.monitoring:9090'",
});

const runbookAddress = stringFormat({
  noun: 'the address of pages',
  code: 'bad-url',
  pattern: /^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~%-]+)*$/,
  max: 2048,
  hint: "Use an address without a slash at the end, as in 'https://wiki.example.com/runbooks'",
});

const prometheus = fields({
  serverAddress: serverAddress
    .default('http://prometheus-prometheus.monitoring:9090')
    .describe(
      'The address of Prometheus inside the cluster, for what queries it, such as an autoscaler. Default: http://prometheus-prometheus.monitoring:9090, where servingStack.prometheus installs it.',
    ),
  namespace: withDefault(
    dnsLabel,
    'monitoring',
    'The namespace that Prometheus runs in. NetworkPolicies let it reach the metrics.',
  ),
  labels: labelMap(32)
    .default({})
    .describe(
      'Labels by which Prometheus selects monitors and rules: release: prometheus. Default: - none, as for servingStack.prometheus.',
    ),
  interval: withDefault(duration, '30s', 'The time between two scrapes.'),
});

const alerts = fields({
  enabled: withDefault(z.boolean(), true, 'Whether rules include alerts.'),
  labels: labelMap(32)
    .default({})
    .describe('Labels of every alert, by which Alertmanager routes it: team: inference. Default: - none.'),
  runbooks: runbookAddress
    .optional()
    .describe('The address of the pages that alerts link to, without the name. Default: the pages of Fleetwright.'),
});

const dashboards = fields({
  namespace: dnsLabel
    .optional()
    .describe('The namespace of their ConfigMaps, where Grafana looks for them. Default: that of Prometheus.'),
  labels: labelMap(32)
    .default({ grafana_dashboard: '1' })
    .describe('The labels by which the sidecar of Grafana finds their ConfigMaps. Default: grafana_dashboard: "1".'),
  annotations: annotationMap(32)
    .default({})
    .describe('Annotations of their ConfigMaps, such as grafana_folder: Inference. Default: - none.'),
});

/** The schema of what a cluster gets so that its metrics are collected, named and watched. */
export const monitoring = fields({
  prometheus: prometheus.prefault({}).describe('The Prometheus of the cluster, which its operator manages.'),
  podMonitors: withDefault(
    z.boolean(),
    true,
    'Whether it collects metrics of engines, endpoint pickers and gateways: objects of kind PodMonitor.',
  ),
  rules: withDefault(
    z.boolean(),
    true,
    'Whether it records metrics under names that hide those of engines, and alerts: objects of kind PrometheusRule.',
  ),
  alerts: alerts.prefault({}).describe('Alerts, which are part of the rules.'),
  dashboards: dashboards
    .optional()
    .describe('Dashboards of Grafana, for the cluster and for each deployment. Default: - none.'),
});

export type Monitoring = z.output<typeof monitoring>;
