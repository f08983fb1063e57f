/** Of the nova-compute service. The database has the same list, as for lib/schemas/states. */
export const SERVICE_STATES = ['up', 'down', 'disabled', 'unknown'] as const
