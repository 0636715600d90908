import { joinNames } from '../base/text';
import { sortUnique } from '../base/order';
import { ALERT_MEASURES } from '../catalog/alerts';
import type { EngineProfile } from '../catalog/engines/engine-profile';
import { PANEL_TITLES } from '../catalog/recording-rules';
import { profileOf } from '../engine/runtime-detection';
import type { ComputedReplica } from '../replicas/replica';

/** A runtime on clusters with alerts, and whether one of them has dashboards too. */
interface MonitoredRuntime {
  readonly profile: EngineProfile;
  readonly dashboards: boolean;
}

/** Describes which alerts and panels lack a metric of the engine, one sentence per runtime. */
export function describeMissingMetrics(replicas: readonly ComputedReplica[]): string[] {
  const runtimes = new Map<string, MonitoredRuntime>();
  for (const { cluster, deployment, engines } of replicas) {
    const { monitoring } = cluster.spec;
    // Alerts and the series of dashboards are rules.
    if (!monitoring?.rules) continue;
    for (const { engine } of engines) {
      const { profile } = profileOf(deployment, engine);
      const dashboards = monitoring.dashboards !== undefined || runtimes.get(profile.title)?.dashboards === true;
      runtimes.set(profile.title, { profile, dashboards });
    }
  }
  return sortUnique([...runtimes.values()].flatMap(describeRuntime));
}

function describeRuntime({ profile: { title, metrics }, dashboards }: MonitoredRuntime): string[] {
  const names = metrics?.names ?? {};
  const alerts = keysOf(ALERT_MEASURES).filter((alert) => !names[ALERT_MEASURES[alert]]);
  const missing = keysOf(PANEL_TITLES).filter((measure) => !names[measure]);
  const panels = dashboards ? missing.map((measure) => PANEL_TITLES[measure]) : [];
  const parts = [
    ...(alerts.length > 0 ? [`they have no alert ${alerts.join(' and ')}`] : []),
    ...(panels.length > 0 ? [`dashboards show nothing of them as ${joinNames(panels, panels.length)}`] : []),
  ];
  return parts.length === 0 ? [] : [`Engines with runtime ${title} lack metrics: ${parts.join(', and ')}.`];
}

function keysOf<T extends object>(table: T): (keyof T)[] {
  return Object.keys(table) as (keyof T)[];
}
