import { modernizeDeviceRequests } from '../api/older-device-requests';
import { isMap } from '../base/json';
import { rewriteManifests } from '../manifest/rewrite-manifests';
import type { SourceFile } from '../manifest/source-file';
import { mergeByName } from './missing-routes';
import type { RouteAdditions } from './route-additions';

/** Rewrites older spellings of device requests of modelplane.ai. Returns the same text if a file has none. */
export function rewriteDeviceRequests(file: SourceFile): string {
  if (!file.text.includes('modelplane.ai/')) return file.text;
  return rewriteManifests(file, (document) => {
    return String(document['apiVersion']).startsWith('modelplane.ai/') ? modernizeDeviceRequests(document) : document;
  });
}

type NewAdditions = Pick<RouteAdditions, 'clusters' | 'gateways'>;

/** Writes additions into the Fleet of a file. Fields and comments that it has stay. */
export function writeAdditions(file: SourceFile, { clusters, gateways }: NewAdditions): string {
  return rewriteManifests(file, (document) => {
    const { kind, spec } = document;
    if (kind !== 'Fleet' || !isMap(spec)) return document;
    const old = isMap(spec['additions']) ? spec['additions'] : {};
    const additions = {
      ...old,
      ...(clusters.length > 0 && { clusters: mergeByName(listOf(old['clusters']), clusters, mergeGateway) }),
      ...(gateways.length > 0 && { gateways: mergeByName(listOf(old['gateways']), gateways, mergeFields) }),
    };
    return { ...document, spec: { ...spec, additions } };
  });
}

interface Named {
  readonly name: string;
}

function listOf(value: unknown): readonly Named[] {
  return Array.isArray(value) ? (value as Named[]) : [];
}

function mergeFields(old: Named, added: Named): Named {
  return { ...old, ...added };
}

function mergeGateway(old: Named & { gateway?: object }, added: Named & { gateway?: object }): Named {
  return { ...old, gateway: { ...old.gateway, ...added.gateway } } as Named;
}
