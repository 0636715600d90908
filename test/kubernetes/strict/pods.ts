import type { Doc, KubeObject } from '../harness/client';

/** A pod as the controller of a Deployment or StatefulSet would make it. Nothing for other kinds. */
export function podOf({ kind, metadata, spec }: KubeObject): KubeObject[] {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return [];
  const template = spec?.['template'] as { metadata: Doc; spec: Doc };
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...template.metadata, name: `${metadata.name}-0`, namespace: metadata.namespace },
      spec: template.spec,
    },
  ];
}
