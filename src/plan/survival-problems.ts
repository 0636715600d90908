import type { Resource } from '../api/kinds';
import type { Locate } from '../api/locate';
import { qualifiedName } from '../api/resource';
import { deploymentsById } from '../deployments-by-id';
import type { Problem } from '../errors';
import type { Fleet } from '../fleet';
import type { Refused } from '../survive/refused';
import { formatRefusedDeployment, formatRefusedService } from './survival-text';

/** A fleet, and where everything of it is declared. */
interface Located {
  readonly fleet: Fleet;
  readonly locate: Locate;
}

/** Deployments and services that keep too little at once, each where it is declared. */
export function refusedProblems(
  { refused, refusedServices }: Refused,
  required: number,
  { fleet, locate }: Located,
): Problem[] {
  const services = new Map(fleet.services.map((one) => [qualifiedName(one), one]));
  const problem = (declared: Resource | undefined, what: string): Problem[] =>
    declared ? [{ code: 'too-few-left', where: locate(declared, []), what }] : [];
  return [
    ...refused.flatMap((one) =>
      problem(deploymentsById(fleet.deployments).get(one.deployment), formatRefusedDeployment(one, required)),
    ),
    ...refusedServices.flatMap((one) =>
      problem(services.get(one.service), formatRefusedService(one, required)),
    ),
  ];
}
