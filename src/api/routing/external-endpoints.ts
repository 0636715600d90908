import { z } from 'zod';

/** Whether requests may leave the fleet. */
export const externalEndpoints = z.enum(['Allowed', 'Forbidden']).default('Allowed');
