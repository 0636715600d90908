import type { CustomResource, Output, Resource } from '@pulumi/pulumi';
import type { PlannedRecord } from '../../src/provision/dns-records';

/** Registers one record of a host name with the addresses of gateways. */
export type RegisterRecord = (record: PlannedRecord, data: RecordOutputs, parent: Resource) => CustomResource;

/** What a record says, as soon as its gateways have addresses. */
export interface RecordOutputs {
  readonly type: Output<string>;
  readonly values: Output<string[]>;

  /** One of several records of the name. Absent: the only one. */
  readonly part?: string;
}
