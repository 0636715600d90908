import { all, type CustomResource, type Output, type Resource } from '@pulumi/pulumi';
import { type Diagnostic, errorAt, relocate } from '../../src/base/diagnostic';
import {
  type DnsProvider,
  type PlannedRecord,
  recordDataOf,
  type RecordedGateway,
} from '../../src/provision/dns-records';
import type * as AzureDns from './azure-dns';
import type * as CloudDns from './cloud-dns';
import type { RecordOutputs, RegisterRecord } from './dns-record-provider';
import { loadProvider, type ProviderLoader } from '../runtime/load-provider';
import type * as Route53 from './route53';

interface DnsRecordProvider extends ProviderLoader<RegisterRecord> {
  /** Its name in messages. */
  readonly title: string;

  /** Whether each of several gateways has a separate record. */
  readonly each: boolean;
}

/** The registration functions by provider. */
const DNS_RECORD_PROVIDERS: Readonly<Record<DnsProvider, DnsRecordProvider>> = {
  CloudDNS: {
    title: 'Cloud DNS',
    provider: '@pulumi/gcp',
    each: false,
    load: () => (require('./cloud-dns') as typeof CloudDns).registerCloudDnsRecord,
  },
  Route53: {
    title: 'Route 53',
    provider: '@pulumi/aws',
    each: true,
    load: () => (require('./route53') as typeof Route53).registerRoute53Record,
  },
  AzureDNS: {
    title: 'Azure DNS',
    provider: '@pulumi/azure-native',
    each: false,
    load: () => (require('./azure-dns') as typeof AzureDns).registerAzureDnsRecord,
  },
};

/**
 * Checks that a stack of one cluster can write its records: Cloud DNS and Azure DNS store the addresses of all
 * gateways in one record, Route 53 in separate records.
 */
export function checkSharedRecords(records: readonly PlannedRecord[], cluster: string): Diagnostic[] {
  const shared = records.filter(
    ({ provider, gateways }) =>
      !DNS_RECORD_PROVIDERS[provider].each && gateways.length > 1 && gateways.some((one) => one.cluster === cluster),
  );
  return shared.map(({ host, provider, gateways }) =>
    errorAt(
      'shared-record',
      host,
      `the record in ${DNS_RECORD_PROVIDERS[provider].title} has the addresses of ${gateways.map((one) => one.cluster).join(', ')}, and this stack has only ${cluster}`,
      "Remove 'provider' and 'id' from dns and write the record yourself, or use one stack for all of these clusters",
    ),
  );
}

/** Reports records whose provider package is not installed. */
export function checkProvidersInstalled(records: readonly PlannedRecord[]): Diagnostic[] {
  return records.flatMap(({ host, provider }) => {
    const loaded = loadProvider(DNS_RECORD_PROVIDERS[provider]);
    return 'missing' in loaded ? [relocate(loaded.missing, () => host)] : [];
  });
}

/**
 * Registers the records of host names. Route 53 has one record for each of several gateways, with equal weight, so
 * that stacks of one cluster each write their own.
 *
 * @param addressOf the address of a gateway. Undefined for a gateway of another stack
 */
export function registerRecords(
  records: readonly PlannedRecord[],
  addressOf: (gateway: RecordedGateway) => Output<string> | undefined,
  parent: Resource,
): CustomResource[] {
  return records.flatMap((record) => {
    const addressed = record.gateways.flatMap(({ cluster, name }) => {
      const address = addressOf({ cluster, name });
      return address ? [{ cluster, address }] : [];
    });
    if (addressed.length === 0) return [];
    const { each, load } = DNS_RECORD_PROVIDERS[record.provider];
    const register = load();
    if (!each || record.gateways.length === 1) {
      return [register(record, recordOutputsOf(addressed.map(({ address }) => address)), parent)];
    }
    return addressed.map(({ cluster, address }) => {
      return register(record, { ...recordOutputsOf([address]), part: cluster }, parent);
    });
  });
}

function recordOutputsOf(addresses: readonly Output<string>[]): RecordOutputs {
  const data = all([...addresses]).apply(recordDataOf);
  return { type: data.type, values: data.values.apply((values) => [...values]) };
}
