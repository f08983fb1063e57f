/** Nova's names of quotas and what they are called in Keystone (nova/limit/utils.py, LEGACY_LIMITS; local.py). */
const NAMES: readonly (readonly [quota: string, resourceName: string])[] = [
  ['instances', 'servers'],
  ['cores', 'class:VCPU'],
  // Nova's own migration gives PCPU what cores have.
  ['cores', 'class:PCPU'],
  ['ram', 'class:MEMORY_MB'],
  ['metadata_items', 'server_metadata_items'],
  ['injected_files', 'server_injected_files'],
  ['injected_file_content_bytes', 'server_injected_file_content_bytes'],
  ['injected_file_path_bytes', 'server_injected_file_path_bytes'],
  ['key_pairs', 'server_key_pairs'],
  ['server_groups', 'server_groups'],
  ['server_group_members', 'server_group_members'],
]

/** The defaults of a cloud's legacy quotas by the names that limits have; a name that Nova did not tell is not in it. */
export const siteDefaults = (quotas: ReadonlyMap<string, number>): Map<string, number> =>
  new Map(
    NAMES.flatMap(([quota, resourceName]) => {
      const value = quotas.get(quota)
      return value === undefined ? [] : [[resourceName, value] as const]
    }),
  )
