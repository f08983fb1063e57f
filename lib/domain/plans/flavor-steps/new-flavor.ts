import type { Flavor } from '@/lib/domain/cloud/types'

/** What Nova takes when it makes a flavor; memory in MiB, disk in GiB. */
export type NewFlavorFacts = Pick<
  Flavor,
  'name' | 'description' | 'vcpus' | 'memoryMib' | 'diskGib' | 'isPublic'
>
