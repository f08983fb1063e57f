/** `code` of Placement's errors from 1.23 on (placement/errors.py). */
export const CODES = {
  undefined: 'placement.undefined_code',
  concurrentUpdate: 'placement.concurrent_update',
  inventoryInUse: 'placement.inventory.inuse',
  providerInUse: 'placement.resource_provider.inuse',
  cannotDeleteParent: 'placement.resource_provider.cannot_delete_parent',
  duplicateName: 'placement.duplicate_name',
  queryParameterMissing: 'placement.query.missing_value',
  queryDuplicateKey: 'placement.query.duplicate_key',
  queryBadValue: 'placement.query.bad_value',
} as const
