import type { FieldChange } from '../../diff/field-changes';
import type { ServiceChange } from '../../diff/route-changes';

/** What a change does to the clients of a service. Services to which the same happens share a clause. */
export interface AccessClause {
  readonly service: string;

  /**
   * @param names of all services to which it happens: `all 4 services`
   * @param each ` each`, where these are several
   */
  readonly clauseOf: (names: string, each: string) => string;
}

/** The changes of fields of a service on its gateways, without the names of gateways. */
export function fieldsOf({ fields }: ServiceChange, name: string): FieldChange[] {
  return fields.filter(({ path }) => path[0] === 'gateways' && (path[2] === name || path.length === 2));
}
