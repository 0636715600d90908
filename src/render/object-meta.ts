import type { ModelDeployment } from '../api/model-deployment';
import { type Labels, withUserLabels } from './labels';
import type { ObjectMeta } from './manifest';

/** The metadata of an object that is made for a deployment: its namespace, our labels, and those of its replicas. */
export function objectMeta({ metadata, spec }: ModelDeployment, name: string, ours: Labels): ObjectMeta {
  return {
    name,
    // Every ModelDeployment has one: `default` where the user named none.
    namespace: metadata.namespace ?? 'default',
    labels: withUserLabels(ours, spec.template.metadata.labels),
  };
}
